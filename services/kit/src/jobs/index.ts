export * from './delivery-runner.js';
export * from './delivery-table.js';
export * from './errors.js';
export * from './job.js';
export { SCHEDULED_JOBS_TABLE } from './job-leases.js';
export * from './scheduler.js';
export * from './sweep-job.js';
