export * from './dto.js';
export * from './entity-tag.js';
export * from './envelope.js';
export * from './errors.js';
export * from './observe.js';
export * from './openapi.js';
export * from './request-context.js';
export * from './rate-limit.js';
