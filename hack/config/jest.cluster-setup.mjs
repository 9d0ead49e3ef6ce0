import { fileURLToPath } from 'node:url';
import { tsImport } from 'tsx/esm/api';
import startPostgres from './jest.postgres-setup.mjs';

const tools = fileURLToPath(new URL('../../.tools/bin', import.meta.url));

/** A real API server, and a PostgreSQL for the Shell that the operator writes to. Workers find the API server and the tools by the environment. */
export default async function setup({ maxWorkers }) {
  // One API server for all files, and tests that kill it: two files at once would break each other.
  if (maxWorkers > 1) throw new Error('The cluster tests share one API server: run them with jest --runInBand.');
  const { startTestCluster } = await tsImport('../../services/kit/src/testing/cluster.ts', import.meta.url);
  [globalThis.testCluster] = await Promise.all([startTestCluster(tools), startPostgres()]);
  process.env.SATELLITE_TEST_CLUSTER = globalThis.testCluster.file;
  process.env.SATELLITE_TOOLS = tools;
}
