import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseAccount } from './account.js';

describe('the account of the server', () => {
  let folder: string;
  let passwd: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'satellite-account-'));
    passwd = join(folder, 'passwd');
    await writeFile(passwd, 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65533:nobody:/:/sbin/nologin\n');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const root = { uid: 0, gid: 0 };
  const ana = { uid: 1000, gid: 1001 };

  it('is the user itself when that is not root', async () => {
    expect(await chooseAccount(ana, undefined, passwd)).toEqual({ ...ana, switched: false });
    expect(await chooseAccount(ana, { uid: 7, gid: 7 }, passwd)).toEqual({ ...ana, switched: false });
  });

  it('is nobody for a new cluster of root', async () => {
    expect(await chooseAccount(root, undefined, passwd)).toEqual({ uid: 65534, gid: 65533, switched: true });
  });

  it('is the owner of an existing cluster when root starts it', async () => {
    expect(await chooseAccount(root, ana, passwd)).toEqual({ ...ana, switched: true });
  });

  it('is missing where /etc/passwd knows no unprivileged nobody', async () => {
    await writeFile(passwd, 'root:x:0:0::/root:/bin/sh\n');
    await expect(chooseAccount(root, undefined, passwd)).rejects.toMatchObject({ code: 'embedded.no_unprivileged_account' });
    await writeFile(passwd, 'nobody:x:0:0::/:/bin/sh\n');
    await expect(chooseAccount(root, undefined, passwd)).rejects.toMatchObject({ code: 'embedded.no_unprivileged_account' });
  });
});
