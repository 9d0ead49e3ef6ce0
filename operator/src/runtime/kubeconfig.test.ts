import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findCluster } from './find-cluster.js';
import { readKubeconfig } from './kubeconfig.js';

describe('a kubeconfig', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'satellite-kubeconfig-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const config = (user: string, cluster = 'server: https://api.test:6443/') => file('config', `
apiVersion: v1
kind: Config
current-context: here
contexts: [{ name: here, context: { cluster: main, user: me } }, { name: lost, context: { cluster: none } }]
clusters: [{ name: main, cluster: { ${cluster} } }]
users: [{ name: me, user: { ${user} } }]
`);
  const credentials = async (user: string) => (await readKubeconfig(await config(user))).credentials();
  const base64 = (text: string) => Buffer.from(text).toString('base64');

  it.each([
    ['a token', 'token: abc', { authorization: 'Bearer abc' }],
    ['a name and password', 'username: ann, password: pass', { authorization: `Basic ${base64('ann:pass')}` }],
    ['a certificate', `client-certificate-data: ${base64('CERT')}, client-key-data: ${base64('KEY')}`, { cert: 'CERT', key: 'KEY' }],
    ['nothing', '', {}],
  ])('gives %s', async (_what, user, expected) => {
    expect(JSON.parse(JSON.stringify(await credentials(user)))).toEqual(expected);
  });

  it('finds files relative to itself', async () => {
    await file('token', 'from-file\n');
    await file('ca.crt', 'AUTHORITY');
    await file('key.pem', 'KEY');
    const access = await readKubeconfig(await config('tokenFile: token, client-key: ./key.pem', 'server: https://api.test, certificate-authority: ca.crt, tls-server-name: inner'));
    expect(await access.ca()).toBe('AUTHORITY');
    expect(await access.credentials()).toEqual({ authorization: 'Bearer from-file', cert: undefined, key: 'KEY' });
    expect(access).toMatchObject({ server: 'https://api.test', servername: 'inner', rejectUnauthorized: true });
  });

  it('trusts any server only when it says so', async () => {
    expect((await readKubeconfig(await config('token: a'))).rejectUnauthorized).toBe(true);
    expect((await readKubeconfig(await config('token: a', 'server: https://api.test, insecure-skip-tls-verify: true'))).rejectUnauthorized).toBe(false);
  });

  it('asks a credential command, once until its answer ends', async () => {
    const script = await file('login', `#!/bin/sh
echo x >> "${folder}/calls"
case "$KUBERNETES_EXEC_INFO" in *client.authentication.k8s.io/v1*api.test*) ;; *) exit 3;; esac
echo '{"status":{"token":"'$1-$GREETING'","expirationTimestamp":"'$2'"}}'
`);
    await chmod(script, 0o755);
    const exec = (until: string) => `exec: { apiVersion: client.authentication.k8s.io/v1, command: ./login, args: [hello, "${until}"], env: [{ name: GREETING, value: you }] }`;
    const calls = async () => (await readFile(join(folder, 'calls'), 'utf8')).length / 2;
    const lasting = await readKubeconfig(await config(exec('2999-01-01T00:00:00Z')));
    await Promise.all([lasting.credentials(), lasting.credentials()]);
    expect([await lasting.credentials(), await calls()]).toEqual([{ authorization: 'Bearer hello-you' }, 1]);
    const ending = await readKubeconfig(await config(exec('2020-01-01T00:00:00Z')));
    await ending.credentials();
    await ending.credentials();
    expect(await calls()).toBe(3);
  });

  it('says what a credential command said when it failed, and asks again', async () => {
    const script = await file('login', '#!/bin/sh\necho "not logged in" >&2\nexit 1\n');
    await chmod(script, 0o755);
    const access = await readKubeconfig(await config('exec: { apiVersion: client.authentication.k8s.io/v1, command: ./login }'));
    await expect(access.credentials()).rejects.toThrow('the credential command ./login failed: not logged in');
    await file('login', '#!/bin/sh\necho \'{"status":{"token":"now"}}\'\n');
    expect(await access.credentials()).toMatchObject({ authorization: 'Bearer now' });
  });

  it.each([
    ['is not YAML', '{', 'cannot be used'],
    ['has no such context', 'current-context: x\nclusters: []\ncontexts: []\n', 'it has no context "x"'],
    ['has no such cluster', 'current-context: x\nclusters: []\ncontexts: [{ name: x, context: { cluster: c } }]\n', 'it has no cluster "c"'],
    ['has no such user', 'current-context: x\nclusters: [{ name: c, cluster: { server: "https://a.test" } }]\ncontexts: [{ name: x, context: { cluster: c, user: u } }]\n', 'it has no user "u"'],
    ['has an odd server', 'current-context: x\nclusters: [{ name: c, cluster: { server: "ftp://a.test" } }]\ncontexts: []\n', 'clusters.0.cluster.server'],
    ['wants an auth provider', 'current-context: x\nclusters: []\ncontexts: []\nusers: [{ name: u, user: { auth-provider: { name: gcp } } }]\n', 'auth providers are gone'],
  ])('that %s is refused with its path', async (_what, text, message) => {
    const path = await file('config', text);
    const reading = readKubeconfig(path);
    await expect(reading).rejects.toThrow(`The kubeconfig ${path} cannot be used`);
    await expect(reading).rejects.toThrow(message);
  });

  it('repeats no secret when it is wrong', async () => {
    const path = await config('token: [geheim], password: 12345678');
    const problem = await readKubeconfig(path).then(() => '', (error: Error) => error.message);
    expect(problem).toContain('users.0.user.token');
    expect(problem).not.toMatch(/geheim|12345678/);
  });

  it('comes before the service account of the pod, which is used where none is named', async () => {
    await file('token', 'pod-token');
    await file('ca.crt', 'AUTHORITY');
    const pod = await findCluster({ serviceHost: 'fd00::1', servicePort: '6443' }, folder);
    expect([pod.server, await pod.ca(), await pod.credentials()]).toEqual(['https://[fd00::1]:6443', 'AUTHORITY', { authorization: 'Bearer pod-token' }]);
    const named = await findCluster({ kubeconfig: await config('token: a'), serviceHost: '10.0.0.1' }, folder);
    expect(named.server).toBe('https://api.test:6443');
  });
});
