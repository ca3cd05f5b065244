import { render } from 'preact'
import { App } from './app.tsx'
import { takeTokenFromAddress } from './shared/session.ts'
import './shared/base.css'
import './shared/parts.css'
import './batches/batches.css'
import './transcript/transcript.css'
import './talk/talk.css'

takeTokenFromAddress()
const root = document.getElementById('app')
if (root) render(<App />, root)
