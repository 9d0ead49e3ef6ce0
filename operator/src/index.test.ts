import { appendFile, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Code, ConnectError } from '@connectrpc/connect';
import { conditionOf, type ManifestFolder } from '../test/support/folder.js';
import { FolderOperator } from '../test/support/folder-operator.js';
import type { RegistryDouble } from '../test/support/registry-double.js';
import type { SatelliteServer } from '../test/support/satellite-server.js';
import { until } from '../test/support/until.js';

jest.setTimeout(60_000);

describe('an operator on a folder', () => {
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

  it('writes nothing to the registry when its own status files change or when it starts again', async () => {
    await start();
    await folder.write('drive.yaml', app('drive'));
    const [before] = await ready('drive.yaml');
    await scene.restart(() => appendFile(join(folder.path, 'drive.yaml.status.yaml'), '# touched\n'));
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
    await scene.restart(async () => {
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
    await scene.restart(() => Promise.resolve());
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
});
