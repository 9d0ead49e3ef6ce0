export { readConfig, type ShellConfig } from './env.js';
/** For hack/bench, which runs the very statement without the Shell around it. */
export { CONSUME_STATEMENT } from './modules/subscriptions/index.js';
export { createShell, openDatabase, type Shell } from './shell.js';
