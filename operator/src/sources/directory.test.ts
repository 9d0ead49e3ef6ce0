import { ManifestFolder, manifest } from '../../test/support/folder.js';
import { ManualTimers } from '../../test/support/manual-timers.js';
import { silentLogger } from '../../test/support/silent-logger.js';
import { until } from '../../test/support/until.js';
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
