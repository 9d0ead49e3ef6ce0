export * from './http-server.js';
export * from './ioc.http.js';
export * from './migrate.js';
export * from './open-service.js';
export * from './parts.js';
export * from './run-service.js';
export * from './satellite.js';
export * from './service-app.http.js';
