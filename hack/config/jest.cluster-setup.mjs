// A real etcd and kube-apiserver for the cluster tests: loopback, free ports, state in a temporary folder, no objects;
// and a PostgreSQL for the Shell that the operator writes to.
// The API server's certificate is its own; the administrator is a static token. Everything a test needs to start the
// API server again (SIGKILL and restart tests) is in the file that SATELLITE_TEST_CLUSTER names.
import { spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import startPostgres from './jest.postgres-setup.mjs';

const TOOLS = ['kube-apiserver', 'etcd', 'kubectl'];
const START_LIMIT_MS = 60_000;

function assetsFolder() {
  const folder = process.env.KUBEBUILDER_ASSETS || fileURLToPath(new URL('../../.tools/bin', import.meta.url));
  const missing = TOOLS.filter((tool) => !existsSync(join(folder, tool)));
  if (missing.length > 0) throw new Error(`${missing.join(', ')} not found in ${folder}: run make tools, or set KUBEBUILDER_ASSETS to a folder that has them.`);
  return folder;
}

/** Ports that were free a moment ago; all held at once so that they differ. */
async function freePorts(count) {
  const servers = await Promise.all(Array.from({ length: count }, () => new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  })));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function start(command, args, logFile) {
  const log = openSync(logFile, 'a');
  const child = spawn(command, args, { stdio: ['ignore', log, log], detached: true });
  child.unref();
  return child;
}

function ready(server, token) {
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

/** Polls until the API server answers or its process is gone. */
async function untilReady(child, server, token, logFile) {
  const deadline = Date.now() + START_LIMIT_MS;
  while (!(await ready(server, token))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      const log = await readFile(logFile, 'utf8');
      throw new Error(`kube-apiserver did not become ready; its last lines:\n${log.split('\n').slice(-20).join('\n')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function apiserverArguments({ home, apiPort, etcdPort }) {
  return [
    '--bind-address=127.0.0.1', `--secure-port=${apiPort}`, `--cert-dir=${home}/apiserver`, `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    `--token-auth-file=${home}/tokens.csv`, '--authorization-mode=RBAC', '--service-cluster-ip-range=10.0.0.0/24',
    '--service-account-issuer=https://kubernetes.default.svc', `--service-account-key-file=${home}/service-account.key`, `--service-account-signing-key-file=${home}/service-account.key`,
    '--disable-admission-plugins=ServiceAccount', '--endpoint-reconciler-type=none', '--profiling=false', '--shutdown-delay-duration=0s',
  ];
}

function kubeconfig(server, token) {
  return JSON.stringify({
    apiVersion: 'v1', kind: 'Config', 'current-context': 'test',
    clusters: [{ name: 'test', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'admin' } }],
  });
}

/** Ctrl-C and a failed start skip the teardown; the servers must not outlive the run. */
function endWithThisProcess() {
  process.once('exit', () => {
    if (!globalThis.satelliteTestCluster) return;
    const { apiserverPid, etcdPid } = JSON.parse(readFileSync(globalThis.satelliteTestCluster, 'utf8'));
    for (const pid of [apiserverPid, etcdPid]) try { process.kill(pid, 'SIGKILL'); } catch { /* it has ended */ }
  });
}

export default async function setup({ maxWorkers }) {
  // One API server for all files, and tests that kill it: two files at once would break each other.
  if (maxWorkers > 1) throw new Error('The cluster tests share one API server: run them with jest --runInBand.');
  const assets = assetsFolder();
  const home = await mkdtemp(join(tmpdir(), 'satellite-cluster-'));
  const [etcdPort, peerPort, apiPort] = await freePorts(3);
  const token = randomBytes(24).toString('hex');
  await writeFile(join(home, 'tokens.csv'), `${token},admin,admin,"system:masters"\n`, { mode: 0o600 });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(join(home, 'service-account.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });

  const etcd = start(join(assets, 'etcd'), [
    '--name=test', `--data-dir=${home}/etcd`, `--listen-client-urls=http://127.0.0.1:${etcdPort}`, `--advertise-client-urls=http://127.0.0.1:${etcdPort}`,
    `--listen-peer-urls=http://127.0.0.1:${peerPort}`, `--initial-advertise-peer-urls=http://127.0.0.1:${peerPort}`, `--initial-cluster=test=http://127.0.0.1:${peerPort}`,
    '--unsafe-no-fsync', '--log-level=warn',
  ], join(home, 'etcd.log'));
  const server = `https://127.0.0.1:${apiPort}`;
  const command = { file: join(assets, 'kube-apiserver'), args: apiserverArguments({ home, apiPort, etcdPort }), log: join(home, 'apiserver.log') };
  const apiserver = start(command.file, command.args, command.log);
  const cluster = { home, assets, server, token, kubeconfig: join(home, 'kubeconfig'), etcdPid: etcd.pid, apiserverPid: apiserver.pid, apiserver: command };
  process.env.SATELLITE_TEST_CLUSTER = join(home, 'cluster.json');
  await writeFile(cluster.kubeconfig, kubeconfig(server, token), { mode: 0o600 });
  await writeFile(process.env.SATELLITE_TEST_CLUSTER, JSON.stringify(cluster), { mode: 0o600 });
  globalThis.satelliteTestCluster = process.env.SATELLITE_TEST_CLUSTER;
  endWithThisProcess();
  await Promise.all([untilReady(apiserver, server, token, command.log), startPostgres()]);
}
