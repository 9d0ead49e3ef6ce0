import { Code } from '@connectrpc/connect';
import { conditionOf, manifest, type ManifestFolder } from '../test/support/folder.js';
import { FolderOperator } from '../test/support/folder-operator.js';
import type { RegistryDouble } from '../test/support/registry-double.js';
import type { SatelliteServer } from '../test/support/satellite-server.js';
import { until } from '../test/support/until.js';

jest.setTimeout(60_000);

describe('what an operator on a folder finds and tells', () => {
  let scene: FolderOperator;
  let folder: ManifestFolder;
  let registry: RegistryDouble;
  let satellite: SatelliteServer;
  beforeEach(async () => {
    scene = await FolderOperator.open();
    ({ folder, registry, satellite } = scene);
  });
  afterEach(() => scene.close());
  const start: FolderOperator['start'] = (over) => scene.start(over);
  const app: FolderOperator['app'] = (name, spec) => scene.app(name, spec);
  const ready: FolderOperator['ready'] = (file) => scene.ready(file);
  const because: FolderOperator['because'] = (file, reason) => scene.because(file, reason);
  /** An app that was Ready, and whose API has failed for long enough. */
  const degrades = async (): Promise<void> => {
    await start();
    await folder.write('drive.yaml', app('drive'));
    await ready('drive.yaml');
    satellite.api = 'unhealthy';
    await folder.write('drive.yaml', app('drive', { name: 'Next' }));
    await until(() => registry.reports.get('drive')?.degraded, (degraded) => degraded === true);
  };
  const appOf = (slug: string) => registry.entries.get(slug)?.app;

  it('corrects drift on request, acknowledges the request, and reports the fields', async () => {
    await start();
    await folder.write('drive.yaml', app('drive'));
    await ready('drive.yaml');
    registry.edit('drive', (entry) => (entry.name = 'Edited by hand'));
    await folder.write('drive.yaml', manifest('drive', { apiUrl: satellite.apiUrl, uiUrl: satellite.uiUrl }, { annotations: { 'platform.satellite.io/reconcile-requested-at': 'now-1' } }));
    const [document] = await until(() => folder.statuses('drive.yaml'), ([status]) => status?.status.lastHandledReconcileAt === 'now-1');
    expect(conditionOf(document, 'Drifted')).toMatchObject({ status: 'False', reason: 'DriftCorrected' });
    expect(document?.status.differences).toEqual([{ field: 'name', before: '"Edited by hand"', after: '"App drive"' }]);
    expect(appOf('drive')?.name).toBe('App drive');
  });

  it('keeps in mind what drift it undid, when the next check finds nothing', async () => {
    await start();
    await folder.write('drive.yaml', app('drive'));
    await ready('drive.yaml');
    registry.edit('drive', (entry) => (entry.category = 'By hand'));
    const asked = (when: string) => folder.write('drive.yaml', manifest('drive', { apiUrl: satellite.apiUrl, uiUrl: satellite.uiUrl }, { annotations: { 'platform.satellite.io/reconcile-requested-at': when } }));
    const handled = (when: string) => until(() => folder.statuses('drive.yaml'), ([status]) => status?.status.lastHandledReconcileAt === when);
    await asked('one');
    const [corrected] = await handled('one');
    await asked('two');
    const [after] = await handled('two');
    expect(after?.status.differences).toBeUndefined();
    expect(after?.status.lastDrift).toEqual({ time: corrected?.status.lastDrift?.time, differences: [{ field: 'category', before: '"By hand"', after: 'null' }] });
  });

  it('reports what it finds to the Shell, once, also when the probes fail', async () => {
    await start();
    await folder.write('drive.yaml', app('drive', { version: '1.0.0' }));
    await ready('drive.yaml');
    const told = await until(() => registry.reports.get('drive'), (report) => report !== undefined);
    expect(told).toMatchObject({ observedVersion: '1.0.0', degraded: false });
    expect(told?.conditions.map(({ type, status }) => [type, status])).toEqual([['APICompatible', 'True'], ['CacheSynced', 'True'], ['Drifted', 'False'], ['Ready', 'True'], ['Registered', 'True'], ['UIReachable', 'True']]);
    const reports = () => registry.calls.filter(({ method }) => method === 'ReportApp').length;
    const before = reports();
    await scene.restart(() => Promise.resolve());
    await until(() => registry.calls.filter(({ method }) => method === 'ApplyApp').length, (count) => count >= 2);
    await ready('drive.yaml');
    expect(reports()).toBe(before);
    satellite.ui = 'not-found';
    await folder.write('drive.yaml', app('drive', { version: '1.0.1' }));
    await until(() => registry.reports.get('drive')?.conditions.find(({ type }) => type === 'Ready')?.reason, (reason) => reason === 'UIUnreachable');
  });

  it('calls an app degraded after three failures, well after two good checks, and tells the Shell both times', async () => {
    await degrades();
    const [ill] = await until(() => folder.statuses('drive.yaml'), ([document]) => conditionOf(document, 'Degraded') !== undefined);
    expect(ill?.status.health).toMatchObject({ degraded: true, failures: 3, successes: 0 });
    expect(conditionOf(ill, 'Degraded')).toMatchObject({ status: 'True', reason: 'ProbesFail' });
    satellite.api = 'ok';
    await until(() => registry.reports.get('drive')?.degraded, (degraded) => degraded === false);
    const [well] = await until(() => folder.statuses('drive.yaml'), ([document]) => document?.status.health?.degraded === false);
    expect(well?.status.health).toMatchObject({ failures: 0, successes: 0 });
    expect(conditionOf(well, 'Degraded')).toBeUndefined();
    expect(well?.status.history?.map(({ reason, result }) => [reason, result])).toEqual([['Registered', 'Succeeded'], ['APIUnreachable', 'Waiting'], ['Registered', 'Succeeded']]);
  });

  it('does not call an app degraded that nobody checks any more', async () => {
    await degrades();
    await folder.write('drive.yaml', app('drive', { name: 'Next', suspend: true }));
    await until(() => registry.reports.get('drive')?.degraded, (degraded) => degraded === false);
  });

  describe('when the API changes', () => {
    const files = (properties: object, path = '/files') => ({ [path]: { get: { responses: { 200: { content: { 'application/json': { schema: { type: 'object', properties } } } } } } } });
    const NAME = { type: 'string' };
    const annotated = (version: string, accepted: string) => manifest('drive', { apiUrl: satellite.apiUrl, uiUrl: satellite.uiUrl, version }, { annotations: { 'platform.satellite.io/accept-api-changes': accepted } });
    const ask = (version: string, at: string, spec = {}) => folder.write('drive.yaml', manifest('drive', { apiUrl: satellite.apiUrl, uiUrl: satellite.uiUrl, version, ...spec }, { annotations: { 'platform.satellite.io/reconcile-requested-at': at } }));

    beforeEach(async () => {
      satellite.paths = files({ name: NAME, size: { type: 'integer' } });
      await start();
      await folder.write('drive.yaml', app('drive', { version: '1.0.0' }));
      await ready('drive.yaml');
      await until(() => registry.baselines.get('drive'), (kept) => kept !== undefined);
    });

    it('in a way that breaks nobody, goes on with the new one', async () => {
      const before = registry.baselines.get('drive')?.digest;
      satellite.paths = { ...files({ name: NAME, size: { type: 'integer' }, owner: NAME }), ...files({}, '/folders') };
      await folder.write('drive.yaml', app('drive', { version: '1.1.0' }));
      await until(() => folder.statuses('drive.yaml'), ([document]) => document?.status.version === '1.1.0' && document.status.api?.version === '1.1.0');
      expect(registry.baselines.get('drive')?.digest).not.toBe(before);
      expect(conditionOf((await folder.statuses('drive.yaml'))[0], 'APICompatible')?.status).toBe('True');
    });

    it('in a way that breaks users, keeps what is registered and says what to do', async () => {
      satellite.paths = files({ name: { type: 'integer' } });
      await folder.write('drive.yaml', app('drive', { version: '1.1.0', name: 'Breaking' }));
      const [document] = await because('drive.yaml', 'APIIncompatible');
      expect(conditionOf(document, 'APICompatible')).toMatchObject({ status: 'False', reason: 'BreakingChanges', message: expect.stringContaining('GET /files response 200.name type was string and is integer') });
      expect(conditionOf(document, 'Stalled')?.message).toContain('accept-api-changes=sha256:');
      expect(document?.status.apiBreaks).toEqual([{ where: 'GET /files response 200.size', what: 'is no longer there' }, { where: 'GET /files response 200.name', what: 'type was string and is integer' }]);
      expect(appOf('drive')).toMatchObject({ name: 'App drive', version: '1.0.0' });
      expect(registry.reports.get('drive')?.conditions.find(({ type }) => type === 'APICompatible')?.status).toBe('False');
      await folder.write('drive.yaml', annotated('1.1.0', '1.1.0'));
      const [accepted] = await ready('drive.yaml');
      expect(conditionOf(accepted, 'APICompatible')).toMatchObject({ status: 'True', reason: 'BreakingChangesAccepted' });
      expect(accepted?.status.apiBreaks).toBeUndefined();
      expect(appOf('drive')?.version).toBe('1.1.0');
    });

    it('goes through with a new major version, and back again', async () => {
      satellite.paths = files({});
      await folder.write('drive.yaml', app('drive', { version: '2.0.0' }));
      await until(() => folder.statuses('drive.yaml'), ([document]) => document?.status.api?.version === '2.0.0');
      satellite.paths = files({ name: { type: 'integer' } });
      await folder.write('drive.yaml', app('drive', { version: '1.0.0' }));
      await until(() => folder.statuses('drive.yaml'), ([document]) => document?.status.version === '1.0.0' && document.status.api?.version === '1.0.0');
    });

    it('while the object does not, corrects drift all the same; well again with the old API', async () => {
      const old = satellite.paths;
      satellite.paths = {};
      registry.edit('drive', (entry) => (entry.name = 'By hand'));
      await ask('1.0.0', 'one');
      await because('drive.yaml', 'APIIncompatible');
      expect(appOf('drive')?.name).toBe('App drive');
      const asked = () => registry.calls.filter(({ method }) => method === 'GetApiBaseline').length;
      const before = asked();
      await ask('1.0.0', 'two');
      await until(() => folder.statuses('drive.yaml'), ([document]) => document?.status.lastHandledReconcileAt === 'two');
      expect(asked()).toBe(before);
      satellite.paths = old;
      await ask('1.0.0', 'three');
      const [document] = await ready('drive.yaml');
      expect([document?.status.apiBreaks, document?.status.api?.served]).toEqual([undefined, undefined]);
    });
  });

  it.each([[Code.Unavailable], [Code.Unimplemented]])('goes on when the Shell takes no report (%s), and tells it later', async (code) => {
    registry.refuseReports = code;
    await start();
    await folder.write('drive.yaml', app('drive'));
    const [document] = await ready('drive.yaml');
    expect(document?.status.observedGeneration).toBe(document?.metadata?.generation);
    registry.refuseReports = undefined;
    await folder.write('drive.yaml', app('drive', { name: 'Again' }));
    await until(() => registry.reports.get('drive'), (report) => report !== undefined);
  });

  it('takes out what has no manifest any more, once every manifest can be read', async () => {
    const from = { uid: 'lost', generation: 1n, namespace: 'default', name: 'lost', installation: 'folder', deletionPolicy: 'Delete' };
    await registry.client().applyApp({ app: { slug: 'lost', name: 'Lost', type: 'satellite', apiUrl: '/lost/api' }, source: from });
    await folder.write('broken.yaml', '{ "apiVersion": ');
    await start({ installation: 'folder', sweepMs: 50 });
    await folder.write('drive.yaml', app('drive'));
    await ready('drive.yaml');
    const looks = () => registry.calls.filter(({ method }) => method === 'ListApps').length;
    const before = looks();
    await until(looks, (count) => count >= before + 4);
    expect(appOf('lost')).toBeDefined();
    await folder.write('broken.yaml', app('mended'));
    await until(() => appOf('lost'), (entry) => entry === undefined);
    expect(registry.entries.get('drive')?.source).toMatchObject({ installation: 'folder', deletionPolicy: 'Delete' });
  });

  it('plans without writing, rests while suspended', async () => {
    await start();
    await folder.write('drive.yaml', app('drive', { mode: 'Plan' }));
    const [planned] = await because('drive.yaml', 'Planned');
    expect(conditionOf(planned, 'Registered')).toMatchObject({ status: 'False', reason: 'NotApplied' });
    expect(registry.entries.size).toBe(0);
    await folder.write('drive.yaml', app('drive', { suspend: true }));
    await because('drive.yaml', 'Suspended');
    expect(registry.entries.size).toBe(0);
    await folder.write('drive.yaml', app('drive'));
    await ready('drive.yaml');
  });
});
