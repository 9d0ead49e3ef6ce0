import { spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const TOOLS = ['kube-apiserver', 'etcd', 'kubectl'];
const START_LIMIT_MS = 60_000;
const END_LIMIT_MS = 10_000;

/** Everything somebody needs to use the API server, and to end it and start it again; kept in a file that such tests rewrite. */
export interface ClusterFacts {
  /** Folder of state, logs and credentials. */
  readonly home: string;
  /** Folder of kube-apiserver, etcd and kubectl. */
  readonly assets: string;
  readonly server: string;
  readonly token: string;
  readonly kubeconfig: string;
  readonly etcdPid: number;
  readonly apiserver: { readonly file: string; readonly args: readonly string[]; readonly log: string };
  apiserverPid: number;
}

export interface TestCluster {
  /** Path of the file with the ClusterFacts. */
  readonly file: string;
  readonly facts: ClusterFacts;
  /** Ends etcd and whichever API server the file names by now, and removes the folder. */
  stop(): Promise<void>;
}

/**
 * A real etcd and kube-apiserver: loopback, free ports, state in a temporary folder, no objects. The API server's
 * certificate is its own; the administrator is a static token.
 * @param builtHere where the programs are unless KUBEBUILDER_ASSETS names another folder
 */
export async function startTestCluster(builtHere: string): Promise<TestCluster> {
  const assets = assetsFolder(builtHere);
  const home = await mkdtemp(join(tmpdir(), 'satellite-cluster-'));
  const [etcdPort, peerPort, apiPort] = (await freePorts(3)) as [number, number, number];
  const token = await writeCredentials(home);
  const etcd = start(join(assets, 'etcd'), etcdArguments(home, etcdPort, peerPort), join(home, 'etcd.log'));
  const server = `https://127.0.0.1:${apiPort}`;
  const command = { file: join(assets, 'kube-apiserver'), args: apiserverArguments(home, apiPort, etcdPort), log: join(home, 'apiserver.log') };
  const apiserver = start(command.file, command.args, command.log);
  const facts: ClusterFacts = { home, assets, server, token, kubeconfig: join(home, 'kubeconfig'), etcdPid: etcd.pid ?? 0, apiserver: command, apiserverPid: apiserver.pid ?? 0 };
  const file = join(home, 'cluster.json');
  await writeFile(facts.kubeconfig, kubeconfig(server, token), { mode: 0o600 });
  await writeFile(file, JSON.stringify(facts), { mode: 0o600 });
  const abandon = (): void => killNow(file);
  // Ctrl-C and a failed start skip stop(); the servers must not outlive this process.
  process.once('exit', abandon);
  await untilReady(apiserver, server, token, command.log);
  return {
    file,
    facts,
    async stop() {
      process.off('exit', abandon);
      const { apiserverPid, etcdPid } = factsOf(file);
      await end(apiserverPid);
      await end(etcdPid);
      await rm(home, { recursive: true, force: true });
    },
  };
}

function assetsFolder(builtHere: string): string {
  const folder = process.env['KUBEBUILDER_ASSETS'] || builtHere;
  const missing = TOOLS.filter((tool) => !existsSync(join(folder, tool)));
  if (missing.length > 0) throw new Error(`${missing.join(', ')} not found in ${folder}: run make tools, or set KUBEBUILDER_ASSETS to a folder that has them.`);
  return folder;
}

/** Ports that were free a moment ago; all held at once so that they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, async () => {
    const server = createServer();
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
    return server;
  }));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** The administrator's token, and the key for service accounts that an API server cannot do without. */
async function writeCredentials(home: string): Promise<string> {
  const token = randomBytes(24).toString('hex');
  await writeFile(join(home, 'tokens.csv'), `${token},admin,admin,"system:masters"\n`, { mode: 0o600 });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(join(home, 'service-account.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  return token;
}

function start(command: string, args: readonly string[], logFile: string): ChildProcess {
  const log = openSync(logFile, 'a');
  const child = spawn(command, args, { stdio: ['ignore', log, log], detached: true });
  child.unref();
  return child;
}

function etcdArguments(home: string, etcdPort: number, peerPort: number): string[] {
  const [client, peer] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${peerPort}`];
  return [
    '--name=test', `--data-dir=${home}/etcd`, `--listen-client-urls=${client}`, `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`, `--initial-advertise-peer-urls=${peer}`, `--initial-cluster=test=${peer}`, '--unsafe-no-fsync', '--log-level=warn',
  ];
}

function apiserverArguments(home: string, apiPort: number, etcdPort: number): string[] {
  return [
    '--bind-address=127.0.0.1', `--secure-port=${apiPort}`, `--cert-dir=${home}/apiserver`, `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    `--token-auth-file=${home}/tokens.csv`, '--authorization-mode=RBAC', '--service-cluster-ip-range=10.0.0.0/24',
    '--service-account-issuer=https://kubernetes.default.svc', `--service-account-key-file=${home}/service-account.key`, `--service-account-signing-key-file=${home}/service-account.key`,
    '--disable-admission-plugins=ServiceAccount', '--endpoint-reconciler-type=none', '--profiling=false', '--shutdown-delay-duration=0s',
  ];
}

function kubeconfig(server: string, token: string): string {
  return JSON.stringify({
    apiVersion: 'v1', kind: 'Config', 'current-context': 'test',
    clusters: [{ name: 'test', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'admin' } }],
  });
}

function isReady(server: string, token: string): Promise<boolean> {
  return new Promise((resolve) => {
    const call = request(`${server}/readyz`, { rejectUnauthorized: false, headers: { authorization: `Bearer ${token}` }, timeout: 2000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    call.once('error', () => resolve(false));
    call.once('timeout', () => call.destroy());
    call.end();
  });
}

/** Looks until the API server answers or its process is gone. */
async function untilReady(child: ChildProcess, server: string, token: string, logFile: string): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS;
  while (!(await isReady(server, token))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      const log = await readFile(logFile, 'utf8');
      throw new Error(`kube-apiserver did not become ready; its last lines:\n${log.split('\n').slice(-20).join('\n')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function factsOf(file: string): ClusterFacts {
  return JSON.parse(readFileSync(file, 'utf8')) as ClusterFacts;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function end(pid: number): Promise<void> {
  if (!isAlive(pid)) return;
  process.kill(pid, 'SIGTERM');
  const deadline = Date.now() + END_LIMIT_MS;
  while (isAlive(pid)) {
    if (Date.now() > deadline) process.kill(pid, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function killNow(file: string): void {
  const { apiserverPid, etcdPid } = factsOf(file);
  for (const pid of [apiserverPid, etcdPid]) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
}
