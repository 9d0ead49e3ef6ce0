export * from './clock.js';
export * from './errors.js';
export * from './list-query.js';
export * from './page.js';
export * from './text.js';
export * from './json.js';
export * from './text-rules.js';
