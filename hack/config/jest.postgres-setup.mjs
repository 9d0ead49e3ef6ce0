import { tsImport } from 'tsx/esm/api';

/** One PostgreSQL for the run. Workers inherit its URL by the environment; the teardown finds the server here. */
export default async function setup() {
  const { startTestServer } = await tsImport('../../services/kit/src/testing/server.ts', import.meta.url);
  globalThis.testServer = await startTestServer();
  // Ctrl-C skips the teardown. Ending by exit lets the server's own exit hook stop it.
  for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143]]) process.once(signal, () => process.exit(code));
}
