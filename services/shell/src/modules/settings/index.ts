export { EXPLORER_SCRIPT, explorerAssets } from './explorer.js';
export { buildSettings } from './settings.module.js';
