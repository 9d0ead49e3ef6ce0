import { tsImport } from 'tsx/esm/api';

/** One platform and one Chromium for the run. Workers reach both by the environment; the teardown finds them here. */
export default async function setup() {
  const { startStage } = await tsImport('../../services/standalone/test/browser/support/stage.ts', import.meta.url);
  globalThis.browserStage = await startStage();
  // Ctrl-C skips the teardown. Ending by exit tells the platform to stop.
  for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143]]) process.once(signal, () => process.exit(code));
}
