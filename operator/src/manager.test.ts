import { conditionOf, manifest, ManifestFolder } from '../test/support/folder.js';
import { RegistryDouble } from '../test/support/registry-double.js';
import { SatelliteServer } from '../test/support/satellite-server.js';
import { silentLogger } from '../test/support/silent-logger.js';
import { until } from '../test/support/until.js';
import { startDirectoryOperator } from './index.js';

describe('an operator that is told to end', () => {
  it('leaves what takes long to whoever leads next, and blames no object for it', async () => {
    const [folder, registry, satellite] = [await ManifestFolder.create(), new RegistryDouble(), await new SatelliteServer().listen()];
    const shellUrl = await registry.listen();
    const start = () => startDirectoryOperator({ directory: folder.path, shellUrl, clientId: 'operator', clientSecret: 'secret', platformUrl: 'http://platform.test', outboundAllow: [satellite.host], logger: silentLogger });
    const ready = async () => conditionOf((await folder.statuses('slow.yaml'))[0], 'Ready');
    satellite.ui = 'hanging';
    const first = await start();
    await folder.write('slow.yaml', manifest('slow', { apiUrl: satellite.apiUrl, uiUrl: satellite.uiUrl }));
    await until(() => satellite.requests, (requests) => requests.includes('/ui/remoteEntry.js'));
    await first.stop();
    expect([undefined, 'Progressing']).toContain((await ready())?.reason);
    satellite.ui = 'ok';
    const second = await start();
    await until(ready, (condition) => condition?.status === 'True');
    await second.stop();
    await Promise.all([registry.close(), satellite.close(), folder.remove()]);
  }, 60_000);
});
