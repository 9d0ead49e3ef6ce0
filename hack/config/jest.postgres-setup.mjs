import { tsImport } from 'tsx/esm/api';

/** One PostgreSQL for the run. Workers inherit its URL by the environment; the teardown finds the server here. */
export default async function setup() {
  const { startTestServer } = await tsImport('../../services/kit/src/testing/server.ts', import.meta.url);
  globalThis.testServer = await startTestServer();
}
