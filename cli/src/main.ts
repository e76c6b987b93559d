#!/usr/bin/env node
import { runAisle } from './run.ts';
import { processTerminal } from './terminal/terminal.ts';

const { terminal, close } = processTerminal();
process.exitCode = await runAisle(process.argv.slice(2), terminal);
close();
