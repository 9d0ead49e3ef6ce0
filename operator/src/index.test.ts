import { appendFile, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Code, ConnectError } from '@connectrpc/connect';
import { conditionOf, ManifestFolder, manifest } from '../test/support/folder.js';
import { RegistryDouble } from '../test/support/registry-double.js';
import { SatelliteServer } from '../test/support/satellite-server.js';
import { silentLogger } from '../test/support/silent-logger.js';
import { until } from '../test/support/until.js';
import { startDirectoryOperator } from './index.js';

jest.setTimeout(60_000);

describe('an operator on a folder', () => {
  let folder: ManifestFolder;
  let registry: RegistryDouble;
  let satellite: SatelliteServer;
  let shellUrl: string;
  let operator: { stop(): Promise<void> } | undefined;

  beforeEach(async () => {
    folder = await ManifestFolder.create();
    registry = new RegistryDouble();
    shellUrl = await registry.listen();
    satellite = await new SatelliteServer().listen();
  });

  afterEach(async () => {
    await operator?.stop();
    operator = undefined;
    await Promise.all([registry.close(), satellite.close()]);
    await folder.remove();
  });

  const start = async (over: { readonly installation?: string; readonly sweepMs?: number } = {}) => {
    operator = await startDirectoryOperator({ directory: folder.path, shellUrl, clientId: 'operator', clientSecret: 'secret', platformUrl: 'http://platform.test', outboundAllow: [satellite.host], logger: silentLogger, recheckMs: 100, ...over });
  };
  const restart = async (meanwhile: () => Promise<void>) => {
    await operator?.stop();
    await meanwhile();
    await start();
  };
  const app = (name: string, spec: Record<string, unknown> = {}) => manifest(name, { apiUrl: satellite.apiUrl, uiUrl: satellite.uiUrl, ...spec });
  const ready = (file: string) => until(() => folder.statuses(file), ([document]) => conditionOf(document, 'Ready')?.status === 'True', { what: `${file} Ready` });
  const because = (file: string, reason: string) => until(() => folder.statuses(file), ([document]) => conditionOf(document, 'Ready')?.reason === reason, { what: `${file} ${reason}` });
  const appOf = (slug: string) => registry.entries.get(slug)?.app;

  it('registers a dropped manifest and writes the status beside it', async () => {
    await start();
    await folder.write('drive.yaml', app('drive', { version: '1.0.0' }));
    await until(() => appOf('drive'), (entry) => entry !== undefined);
    const [document] = await ready('drive.yaml');
    expect(document?.status.observedGeneration).toBe(document?.metadata?.generation);
    expect(document?.status.registry).toEqual({ id: 'id-drive', revision: 1, cachedRevision: 1, generation: document?.metadata?.generation });
    for (const type of ['Registered', 'CacheSynced', 'UIReachable', 'APICompatible']) expect(conditionOf(document, type)).toMatchObject({ status: 'True', observedGeneration: document?.metadata?.generation });
    expect(conditionOf(document, 'Drifted')).toMatchObject({ status: 'False', reason: 'InSync' });
    expect(appOf('drive')).toMatchObject({ slug: 'drive', version: '1.0.0', status: 'active', organizations: { all: true } });
  });

  it('sees a manifest whatever moment of its start it is written at', async () => {
    const others = await Promise.all(Array.from({ length: 12 }, () => ManifestFolder.create()));
    const operators = await Promise.all(others.map(async ({ path }, at) => {
      const starting = startDirectoryOperator({ directory: path, shellUrl, clientId: 'operator', clientSecret: 'secret', platformUrl: 'http://platform.test', outboundAllow: [satellite.host], logger: silentLogger });
      await new Promise((resolve) => setTimeout(resolve, at * 5));
      await others[at]?.write('drive.yaml', app(`app-${at}`));
      return starting;
    }));
    // Well below the period in which the folder is looked at without an announcement.
    await until(() => registry.entries.size, (size) => size === others.length, { limitMs: 4000, what: 'every manifest registered' });
    await Promise.all(operators.map((one) => one.stop()));
    await Promise.all(others.map((other) => other.remove()));
  });

  it('writes nothing to the registry when its own status files change or when it starts again', async () => {
    await start();
    await folder.write('drive.yaml', app('drive'));
    const [before] = await ready('drive.yaml');
    await restart(() => appendFile(join(folder.path, 'drive.yaml.status.yaml'), '# touched\n'));
    await until(() => registry.calls.filter(({ method }) => method === 'ApplyApp').length, (count) => count === 2);
    const [after] = await folder.statuses('drive.yaml');
    expect(after?.metadata).toEqual(before?.metadata);
    expect(registry.writes).toBe(1);
  });

  it('updates, and grows the generation only by changes of spec', async () => {
    await start();
    await folder.write('drive.yaml', app('drive'));
    const [first] = await ready('drive.yaml');
    await folder.write('drive.yaml', app('drive', { name: 'Files' }));
    await until(() => appOf('drive')?.name, (name) => name === 'Files');
    const [second] = await until(() => folder.statuses('drive.yaml'), ([document]) => document?.status.observedGeneration === (first?.metadata?.generation ?? 0) + 1);
    expect(second?.metadata?.uid).toBe(first?.metadata?.uid);
  });

  it('says of an invalid manifest what to change, and leaves what was registered', async () => {
    await start();
    await folder.write('drive.yaml', app('drive'));
    await ready('drive.yaml');
    await folder.write('drive.yaml', app('drive', { apiurl: 'x', name: 'Changed' }));
    const [document] = await because('drive.yaml', 'InvalidManifest');
    expect(conditionOf(document, 'Ready')?.message).toContain('spec.apiurl: unknown field; did you mean apiUrl?');
    expect(conditionOf(document, 'Registered')?.status).toBe('True');
    await folder.write('drive.yaml', '{ "apiVersion": ');
    await until(() => folder.statuses('drive.yaml'), ([status]) => conditionOf(status, 'Ready')?.message.includes('cannot be read as YAML or JSON') ?? false);
    expect(appOf('drive')?.name).toBe('App drive');
    await folder.write('drive.yaml', app('drive'));
    await ready('drive.yaml');
  });

  it.each([
    ['slug change', { slug: 'other' }, 'spec.slug: slug cannot change'],
    ['credentials', { apiUrl: 'https://user:secret@example.org/api' }, 'spec.apiUrl: must not carry credentials'],
    ['foreign permission', { permissions: [{ code: 'other.files:read' }] }, 'spec.permissions: every permission code must begin'],
    ['interval', { interval: '5s' }, 'spec.interval: must be between 10s and 24h'],
    ['duplicate', { permissions: [{ code: 'drive.files:read' }, { code: 'drive.files:read' }] }, 'spec.permissions[1]: duplicate value'],
    ['wrong type', { suspend: 'yes' }, 'spec.suspend: must be of type boolean'],
  ])('refuses %s as the API server does', async (_what, spec, message) => {
    await start();
    await folder.write('drive.yaml', app('drive'));
    await ready('drive.yaml');
    await folder.write('drive.yaml', app('drive', spec));
    const [document] = await because('drive.yaml', 'InvalidManifest');
    expect(conditionOf(document, 'Ready')?.message).toContain(message);
    expect([...registry.entries.keys()]).toEqual(['drive']);
  });

  it('takes an app out when its file goes, and leaves it to administrators with Orphan', async () => {
    await start();
    await folder.write('drive.yaml', app('drive'));
    await folder.write('notes.yaml', app('notes', { deletionPolicy: 'Orphan' }));
    await Promise.all([ready('drive.yaml'), ready('notes.yaml')]);
    await Promise.all([folder.delete('drive.yaml'), folder.delete('notes.yaml')]);
    await until(() => registry.entries.get('notes')?.managedBy, (by) => by === 'api');
    await until(() => appOf('drive'), (entry) => entry === undefined);
    await until(() => folder.statuses('drive.yaml'), (documents) => documents.length === 0);
  });

  it('notices a file that went while it was not running', async () => {
    await start();
    await folder.write('drive.yaml', app('drive'));
    await ready('drive.yaml');
    await restart(async () => {
      await folder.delete('drive.yaml');
      await folder.delete('drive.yaml.status.yaml');
    });
    await until(() => appOf('drive'), (entry) => entry === undefined);
  });

  it('keeps the app when an editor replaces or renames its file', async () => {
    await start();
    await folder.write('drive.yaml', app('drive'));
    await ready('drive.yaml');
    await folder.write('.drive.yaml.swp', app('drive', { name: 'Replaced' }));
    await rename(join(folder.path, '.drive.yaml.swp'), join(folder.path, 'drive.yaml'));
    await until(() => appOf('drive')?.name, (name) => name === 'Replaced');
    await rename(join(folder.path, 'drive.yaml'), join(folder.path, 'files.yaml'));
    await ready('files.yaml');
    await until(() => folder.statuses('drive.yaml'), (documents) => documents.length === 0);
    expect(registry.calls.some(({ method }) => method === 'RemoveApp')).toBe(false);
  });

  it('reads no half-written file', async () => {
    await start();
    const text = `${app('drive')}\n---\n${app('notes')}\n`;
    await folder.write('both.yaml', '');
    for (let at = 0; at < text.length; at += 100) await appendFile(join(folder.path, 'both.yaml'), text.slice(at, at + 100));
    await until(() => folder.statuses('both.yaml'), (documents) => documents.length === 2 && documents.every((document) => conditionOf(document, 'Ready')?.status === 'True'));
    expect(registry.writes).toBe(2);
    await folder.write('both.yaml', app('drive'));
    await until(() => appOf('notes'), (entry) => entry === undefined);
    expect(appOf('drive')).toBeDefined();
  });

  it('deletes nothing when the whole folder is taken away', async () => {
    await start();
    await folder.write('drive.yaml', app('drive'));
    await ready('drive.yaml');
    await rename(folder.path, `${folder.path}-away`);
    await mkdir(folder.path);
    await folder.write('notes.yaml', app('notes'));
    await rm(`${folder.path}-away`, { recursive: true });
    await restart(() => Promise.resolve());
    await ready('notes.yaml');
    expect(appOf('drive')).toBeDefined();
  });

  it('gives the slug to the younger claim as soon as the older one goes', async () => {
    await start();
    await folder.write('one.yaml', app('one', { slug: 'contested' }));
    await ready('one.yaml');
    await folder.write('two.yaml', app('two', { slug: 'contested' }));
    const [loser] = await because('two.yaml', 'SlugConflict');
    expect(conditionOf(loser, 'Stalled')?.message).toContain('belongs to default/one');
    await folder.delete('one.yaml');
    await ready('two.yaml');
    expect(registry.entries.get('contested')?.source?.name).toBe('two');
  });

  it.each([
    ['not-found', 'UIUnreachable'],
    ['wrong-type', 'UIWrongType'],
    ['no-cors', 'UICorsMissing'],
    ['huge', 'UITooLarge'],
  ] as const)('registers nothing while the front-end is %s, and registers when it is well', async (mode, reason) => {
    satellite.ui = mode;
    await start();
    await folder.write('drive.yaml', app('drive'));
    const [document] = await because('drive.yaml', reason);
    expect(conditionOf(document, 'UIReachable')).toMatchObject({ status: 'False', reason });
    expect(conditionOf(document, 'Reconciling')?.status).toBe('True');
    expect(registry.entries.size).toBe(0);
    satellite.ui = 'ok';
    await ready('drive.yaml');
  });

  it('keeps a registered app when its API fails, and says so', async () => {
    await start();
    await folder.write('drive.yaml', app('drive'));
    await ready('drive.yaml');
    satellite.api = 'unhealthy';
    await folder.write('drive.yaml', app('drive', { name: 'Next' }));
    const [document] = await because('drive.yaml', 'APIUnreachable');
    expect(conditionOf(document, 'Registered')?.status).toBe('True');
    expect(appOf('drive')?.name).toBe('App drive');
    satellite.api = 'no-openapi';
    const [after] = await ready('drive.yaml');
    expect(conditionOf(after, 'APICompatible')).toMatchObject({ status: 'Unknown', reason: 'OpenAPIMissing' });
  });

  it('calls no private address that is not allowed', async () => {
    await start();
    await folder.write('drive.yaml', app('drive', { apiUrl: 'http://169.254.169.254/latest', uiUrl: undefined }));
    const [document] = await because('drive.yaml', 'AddressRefused');
    expect(conditionOf(document, 'Stalled')?.status).toBe('True');
  });

  it('goes on by itself when the registry was away', async () => {
    registry.outage = new ConnectError('down', Code.Unavailable);
    await start();
    await folder.write('drive.yaml', app('drive'));
    await because('drive.yaml', 'RegistryUnavailable');
    registry.outage = undefined;
    await ready('drive.yaml');
  });

  it('replaces a token that the Shell no longer takes', async () => {
    await start();
    await folder.write('drive.yaml', app('drive'));
    await ready('drive.yaml');
    registry.tokens.clear();
    await folder.write('drive.yaml', app('drive', { name: 'Files' }));
    await until(() => appOf('drive')?.name, (name) => name === 'Files');
  });

  it('stalls on an entry that administrators manage, with the words of the registry', async () => {
    registry.seed({ slug: 'drive', name: 'By hand' });
    await start();
    await folder.write('drive.yaml', app('drive'));
    const [document] = await because('drive.yaml', 'RegistryManagedElsewhere');
    expect(conditionOf(document, 'Stalled')?.message).toContain('managed by api');
    expect(appOf('drive')?.name).toBe('By hand');
  });

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
    await restart(() => Promise.resolve());
    await until(() => registry.calls.filter(({ method }) => method === 'ApplyApp').length, (count) => count >= 2);
    await ready('drive.yaml');
    expect(reports()).toBe(before);
    satellite.ui = 'not-found';
    await folder.write('drive.yaml', app('drive', { version: '1.0.1' }));
    await until(() => registry.reports.get('drive')?.conditions.find(({ type }) => type === 'Ready')?.reason, (reason) => reason === 'UIUnreachable');
  });

  it('calls an app degraded after three failures, well after two good checks, and tells the Shell both times', async () => {
    await start();
    await folder.write('drive.yaml', app('drive'));
    await ready('drive.yaml');
    satellite.api = 'unhealthy';
    await folder.write('drive.yaml', app('drive', { name: 'Next' }));
    await until(() => registry.reports.get('drive')?.degraded, (degraded) => degraded === true);
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
    await start();
    await folder.write('drive.yaml', app('drive'));
    await ready('drive.yaml');
    satellite.api = 'unhealthy';
    await folder.write('drive.yaml', app('drive', { name: 'Next' }));
    await until(() => registry.reports.get('drive')?.degraded, (degraded) => degraded === true);
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
