export { readConfig, type ShellConfig } from './env.js';
export { createShell, openDatabase, type Shell, type ShellParts } from './shell.js';
/** For hack/bench, which runs the very statement without the Shell around it. */
export { CONSUME_STATEMENT } from './modules/subscriptions/index.js';
