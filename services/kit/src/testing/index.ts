export { freePorts, startTestCluster, type ClusterFacts, type TestCluster } from './cluster.js';
export { cloneDatabase, dropDatabase, emptyDatabase, useDatabase, type DatabaseTemplate, type TestDatabase } from './database.js';
export { createTestRedis } from './redis.js';
export { REDIS_CHECKS, type RedisCheck } from './redis-conformance.js';
export { query, startTestServer, type TestServer } from './server.js';
export { eventually } from './eventually.js';
export { describeObjectStore } from './object-store.js';
export { startTool, type ToolServer } from './tool-server.js';
