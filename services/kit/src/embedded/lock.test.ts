import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { holderOf, lockFile } from './lock.js';
import { identityOf } from './processes.js';

describe('a lock file', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'satellite-lock-'));
    path = join(folder, 'lock');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is held by one, and free again after release', async () => {
    const lock = await lockFile(path);
    await expect(lockFile(path)).rejects.toMatchObject({ code: 'embedded.data_folder_in_use', pid: process.pid });
    await lock.release();
    await lock.release();
    await (await lockFile(path)).release();
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['of a pid that is used again', `${process.pid} earlier:1\n`],
    ['of a process that is gone', '4194305 x:1\n'],
    ['that is empty', ''],
    ['of noise', 'not a lock\n'],
  ])('%s is taken over', async (_title, text) => {
    await writeFile(path, text);
    await (await lockFile(path)).release();
  });

  it('has one winner when many heal a stale one at once', async () => {
    await writeFile(path, '4194305 x:1\n');
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => lockFile(path)));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    expect(await holderOf(path)).toMatchObject({ pid: process.pid, alive: true });
  });

  it('knows processes by more than their number', async () => {
    expect(await identityOf(process.pid)).toMatch(/^[0-9a-f-]{36}:\d+$/);
    expect(await identityOf(4194305)).toBeUndefined();
  });
});
