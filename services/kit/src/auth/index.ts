export * from './service-token-client.js';
