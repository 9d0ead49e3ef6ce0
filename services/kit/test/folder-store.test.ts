import { mkdtemp, rm, writeFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { FolderStore } from '@satellite/kit/storage';
import { describeObjectStore } from '@satellite/kit/testing';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'satellite-store-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describeObjectStore('a folder', async () => new FolderStore(join(folder, 'store')));

describe('a folder', () => {
  it('that is not there yet is empty, and made with the first object', async () => {
    const store = new FolderStore(join(folder, 'new', 'deep'));
    const keys = [];
    for await (const { key } of store.list()) keys.push(key);
    expect([keys, await store.sweep(new Date())]).toEqual([[], 0]);
    await store.put('a/b', Readable.from(['x']), { maxBytes: 1 });
    expect(await store.stat('a/b')).toMatchObject({ size: 1 });
  });

  it('that cannot be written says nothing of the disk to the caller', async () => {
    await writeFile(join(folder, 'file'), '');
    const store = new FolderStore(join(folder, 'file', 'below'));
    await expect(store.put('a', Readable.from(['x']), { maxBytes: 1 })).rejects.toMatchObject({ kind: 'failed', code: 'storage.failed', message: expect.not.stringContaining(folder) });
    expect(await store.isUp()).toBe(false);
  });

  it('sweeps what a process that died left, once it is old enough', async () => {
    const store = new FolderStore(join(folder, 'swept'));
    await store.put('a', Readable.from(['x']), { maxBytes: 1 });
    const left = join(folder, 'swept', 'unfinished', 'org_x');
    await writeFile(left, 'half');
    expect(await store.sweep(new Date(Date.now() - 60_000))).toBe(0);
    expect(await store.sweep(new Date(Date.now() + 60_000))).toBe(1);
    expect(await readdir(join(folder, 'swept', 'unfinished'))).toEqual([]);
    expect(await store.stat('a')).toMatchObject({ size: 1 });
  });
});
