import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareSatellitesFolder } from './satellites-folder.js';

describe('the folder of satellites', () => {
  let data: string;
  let manifests: Record<string, string>;
  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'satellite-data-'));
    manifests = {};
    for (const slug of ['drive', 'hello']) {
      manifests[slug] = join(data, `${slug}.of-the-release.yaml`);
      await writeFile(manifests[slug], `slug: ${slug}`);
    }
  });
  afterEach(() => rm(data, { recursive: true }));
  const visible = async (folder: string): Promise<string[]> => (await readdir(folder)).filter((name) => !name.startsWith('.')).sort();

  it('has what comes with the platform at the first start', async () => {
    const folder = await prepareSatellitesFolder(data, manifests);
    expect(await visible(folder)).toEqual(['drive.yaml', 'hello.yaml']);
    expect(await readFile(join(folder, 'drive.yaml'), 'utf8')).toBe('slug: drive');
  });

  it('gives nobody back what they have deleted, and leaves what they have changed', async () => {
    const folder = await prepareSatellitesFolder(data, manifests);
    await rm(join(folder, 'hello.yaml'));
    await writeFile(join(folder, 'drive.yaml'), 'changed');
    await prepareSatellitesFolder(data, manifests);
    expect(await visible(folder)).toEqual(['drive.yaml']);
    expect(await readFile(join(folder, 'drive.yaml'), 'utf8')).toBe('changed');
  });

  it('gets what a later release brings', async () => {
    const { hello = '' } = manifests;
    const folder = await prepareSatellitesFolder(data, { hello });
    await rm(join(folder, 'hello.yaml'));
    await prepareSatellitesFolder(data, manifests);
    expect(await visible(folder)).toEqual(['drive.yaml']);
  });
});
