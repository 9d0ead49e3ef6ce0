export * from './errors.js';
export * from './revocations.js';
export * from './service-token-client.js';
export * from './verified-tokens.js';
