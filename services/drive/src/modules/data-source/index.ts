export { buildDataSource } from './data-source.module.js';
