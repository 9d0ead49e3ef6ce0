export { buildStatistics } from './statistics.module.js';
