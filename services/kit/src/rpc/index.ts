export * from './connect-routes.http.js';
export * from './errors.js';
