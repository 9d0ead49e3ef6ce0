import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSecrets, secretsOfSatellite } from './secrets.js';

describe('secrets of a data folder', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'satellite-secrets-'));
    file = join(folder, 'secrets.json');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('are generated once, differ between folders and are readable by the owner only', async () => {
    const first = await loadSecrets(folder, false);
    expect(await loadSecrets(folder, true)).toEqual(first);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(Buffer.from(first.keyEncryptionKey, 'base64')).toHaveLength(32);
    await rm(file);
    expect(await loadSecrets(folder, false)).not.toEqual(first);
  });

  it('are closed again when somebody opened the file', async () => {
    await loadSecrets(folder, false);
    await chmod(file, 0o644);
    await loadSecrets(folder, false);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('are not replaced when they are missing although data exist', async () => {
    await expect(loadSecrets(folder, true)).rejects.toMatchObject({ code: 'standalone.secrets_unusable', message: expect.stringContaining('is missing') });
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });

  it('of a satellite are made when it comes, and stay', async () => {
    const { satellites: _none, ...older } = await loadSecrets(folder, false);
    await writeFile(file, JSON.stringify(older)); // a folder of the time before satellites had some
    const secrets = await loadSecrets(folder, true);
    const first = await secretsOfSatellite(folder, secrets, { slug: 'drive', keys: ['LINK_KEY'] });
    expect(Buffer.from(first['LINK_KEY'] ?? '', 'base64')).toHaveLength(32);
    expect(await secretsOfSatellite(folder, await loadSecrets(folder, true), { slug: 'drive', keys: ['LINK_KEY', 'OTHER'] })).toMatchObject(first);
    expect(await loadSecrets(folder, true)).toMatchObject({ ...older, satellites: { drive: { ...first, OTHER: expect.any(String) } } });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['cut', '{"adminPassw', /cannot be used/],
    ['without a key', '{"adminPassword":"long-enough","operatorClientSecret":"0123456789012345678901234"}', /keyEncryptionKey/],
    ['with a short key', '{"adminPassword":"long-enough","operatorClientSecret":"0123456789012345678901234","keyEncryptionKey":"AAAA"}', /keyEncryptionKey/],
  ])('are refused and kept when the file is %s', async (_title, text, words) => {
    await writeFile(file, text);
    await expect(loadSecrets(folder, true)).rejects.toMatchObject({ code: 'standalone.secrets_unusable', message: expect.stringMatching(words) });
    expect(await readFile(file, 'utf8')).toBe(text);
  });
});
