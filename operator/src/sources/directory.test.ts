import { ManifestFolder, manifest } from '../../test/support/folder.js';
import { ManualTimers } from '../../test/support/manual-timers.js';
import { silentLogger } from '../../test/support/silent-logger.js';
import { until } from '../../test/support/until.js';
import { systemTimers, type Timers } from '../runtime/timers.js';
import { directorySource } from '../wiring.js';
import type { DirectorySource } from './directory.js';
import type { SatelliteApp } from '../controllers/satellite-app/satellite-app.js';

describe('the health of a folder as a source', () => {
  let folder: ManifestFolder;
  let timers: ManualTimers;
  let source: DirectorySource<SatelliteApp>;

  beforeEach(async () => {
    folder = await ManifestFolder.create();
    timers = new ManualTimers();
    source = directorySource(folder.path, silentLogger, timers);
    await folder.write('drive.yaml', manifest('drive', { apiUrl: '/drive/api' }));
    await source.start();
  });
  afterEach(async () => {
    await source.stop();
    await folder.remove();
  });

  /** Lets time pass; each look takes the time it takes. */
  const pass = async (ms: number) => {
    for (const end = timers.now() + ms; timers.now() < end; ) {
      await timers.advance(1000);
      await until(() => timers.waiting, (waiting) => waiting > 0);
      expect(source.unhealthy()).toBeUndefined();
    }
  };

  it('is well while it is looked at, and while it is away', async () => {
    await pass(10_000);
    expect(source.hasSynced()).toBe(true);
    await folder.remove();
    await pass(300_000);
  });

  it('is not well when a look does not end', async () => {
    await pass(10_000);
    timers.stopFiring();
    await timers.advance(121_000);
    expect(source.unhealthy()).toContain('has not been looked at');
  });
});

/** Real time, but for what waits as long as the folder is looked at without an announcement. */
const WITHOUT_PATROL: Timers = { ...systemTimers, set: (run, delayMs) => (delayMs < 2000 ? systemTimers.set(run, delayMs) : undefined) };

it('a folder is seen whatever moment of the start a manifest is written at, without waiting for the next round', async () => {
  const folders = await Promise.all(Array.from({ length: 12 }, () => ManifestFolder.create()));
  const sources = await Promise.all(folders.map(async (folder, at) => {
    const source = directorySource(folder.path, silentLogger, WITHOUT_PATROL);
    const starting = source.start();
    await new Promise((resolve) => setTimeout(resolve, at * 5));
    await folder.write('drive.yaml', manifest(`app-${at}`, { apiUrl: '/drive/api' }));
    await starting;
    return source;
  }));
  await until(() => sources.map((source) => source.list().length), (counts) => counts.every((count) => count === 1), { what: 'every manifest seen' });
  await Promise.all(sources.map((source) => source.stop()));
  await Promise.all(folders.map((folder) => folder.remove()));
});
