export { readConfig, type ShellConfig } from './env.js';
export { createShell, openDatabase, type Shell, type ShellParts } from './shell.js';
