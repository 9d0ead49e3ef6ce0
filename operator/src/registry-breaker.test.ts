import { Code, ConnectError } from '@connectrpc/connect';
import { Registry } from '@satellite/kit/telemetry';
import { conditionOf, manifest, ManifestFolder } from '../test/support/folder.js';
import { RegistryDouble } from '../test/support/registry-double.js';
import { SatelliteServer } from '../test/support/satellite-server.js';
import { silentLogger } from '../test/support/silent-logger.js';
import { until } from '../test/support/until.js';
import { startDirectoryOperator } from './index.js';

jest.setTimeout(60_000);

const NAMES = Array.from({ length: 12 }, (_, index) => `app-${index}`);

describe('an operator whose registry does not answer', () => {
  let folder: ManifestFolder;
  let registry: RegistryDouble;
  let satellite: SatelliteServer;
  let metrics: Registry;
  let operator: { stop(): Promise<void> };

  beforeEach(async () => {
    folder = await ManifestFolder.create();
    registry = new RegistryDouble();
    satellite = await new SatelliteServer().listen();
    metrics = new Registry();
    const shellUrl = await registry.listen();
    operator = await startDirectoryOperator({ directory: folder.path, shellUrl, clientId: 'operator', clientSecret: 'secret', platformUrl: 'http://platform.test', outboundAllow: [satellite.host], logger: silentLogger, metrics });
  });
  afterEach(async () => {
    await operator.stop();
    await Promise.all([registry.close(), satellite.close()]);
    await folder.remove();
  });

  const write = (name: string) => folder.write(`${name}.yaml`, manifest(name, { apiUrl: satellite.apiUrl }));
  const readyOf = async (name: string) => conditionOf((await folder.statuses(`${name}.yaml`))[0], 'Ready');
  const ready = (name: string) => until(() => readyOf(name), (condition) => condition?.status === 'True', { what: `${name} ready` });
  const breakerState = async () => (await metrics.getSingleMetric('satellite_operator_registry_breaker_state')?.get())?.values[0]?.value;

  it('does not call it any more, says when it will, and goes on with everything as soon as it answers', async () => {
    await write('leaving');
    await ready('leaving');
    expect(await breakerState()).toBe(0);

    registry.outage = new ConnectError('the database is away', Code.Unavailable);
    await Promise.all(NAMES.map(write));
    await folder.delete('leaving.yaml');
    await until(breakerState, (state) => state === 2);
    const waiting = await until(async () => Promise.all(NAMES.map(readyOf)), (all) => all.every((condition) => condition?.reason === 'RegistryUnavailable'));
    const paused = waiting.filter((condition) => condition?.message.includes('is not called for now'));
    expect(paused.length).toBeGreaterThan(0);
    expect(paused[0]?.message).toMatch(/the last one with: .*the database is away\. The Shell is asked again at \d\d:\d\d:\d\d UTC; as soon as it answers, this object goes on by itself\.$/);
    expect(registry.entries.has('leaving')).toBe(true);

    registry.outage = undefined;
    await Promise.all(NAMES.map(ready));
    await until(() => registry.entries.has('leaving'), (there) => !there);
    expect(await breakerState()).toBe(0);
  });

  it.each([
    ['a refusal of the entry', Code.InvalidArgument, 'RegistryRefused'],
    ['missing rights', Code.PermissionDenied, 'RegistryForbidden'],
  ])('is not what %s means, however often', async (_what, code, reason) => {
    registry.outage = new ConnectError('not that one', code);
    await Promise.all(NAMES.map(write));
    await until(async () => Promise.all(NAMES.map(readyOf)), (all) => all.every((condition) => condition?.reason === reason));
    expect(await breakerState()).toBe(0);
  });
});
