export * from './errors.js';
export * from './guard.http.js';
export * from './permission-client.js';
export * from './revocation-feed.js';
export * from './revocations.js';
export * from './service-token-client.js';
export * from './token-verifier.js';
export * from './verified-tokens.js';
