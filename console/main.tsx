import { render } from 'preact'
import { App } from './app.tsx'
import { takeTokenFromAddress } from './shared/session.ts'
import './style.css'

takeTokenFromAddress()
const root = document.getElementById('app')
if (root) render(<App />, root)
