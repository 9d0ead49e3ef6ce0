export { buildShares } from './shares.module.js';
