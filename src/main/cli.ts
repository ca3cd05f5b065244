import { argv, exitCode } from 'node:process'

void argv
void exitCode
