import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { startTestCluster } from '@satellite/kit/testing';
import type { Bench, BenchTools, Findings } from '../bench.js';
import { figure, median, quantile, ratio } from '../harness/figures.js';
import { Objects } from '../harness/objects.js';
import { startShell, type BenchShell } from '../harness/platform.js';
import { ServerProcess } from '../harness/server-process.js';

const ROOT = new URL('../../../../', import.meta.url);
const CRD = fileURLToPath(new URL('crds/satelliteapps.platform.satellite.io.yaml', ROOT));
const WORKERS = 16;
const SIZES = [200, 1000];
const SINGLES = 40;

/** What the operator needs until apps are Ready: many at once, one alone, and again when nothing has changed. */
export const operatorScale: Bench = {
  name: 'operator-scale',
  title: `Operator: time to Ready with a real kube-apiserver and the real Shell, ${WORKERS} workers`,
  async run(tools) {
    const shell = await startShell(tools, { APP_ENV_LIMIT_TOKEN_PER_MINUTE: '1000' });
    tools.say('starting etcd and kube-apiserver');
    const cluster = await startTestCluster(fileURLToPath(new URL('.tools/bin', ROOT)));
    tools.atEnd(() => cluster.stop());
    const objects = await Objects.open(cluster.facts, CRD);
    tools.atEnd(async () => objects.close());
    const satellite = await startSatellite(tools);
    const bench: Scene = { tools, shell, objects, spec: specFor(satellite), startOperator: () => startOperator(tools, shell, cluster.facts.kubeconfig, satellite) };
    return measure(bench);
  },
};

interface Scene {
  readonly tools: BenchTools;
  readonly shell: BenchShell;
  readonly objects: Objects;
  readonly spec: (name: string) => object;
  readonly startOperator: () => Promise<ServerProcess>;
}

const names = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
const elapsed = (since: number): number => (performance.now() - since) / 1000;

async function measure(scene: Scene): Promise<Findings> {
  const table: string[][] = [['what', 'against the API server alone', 'time', 'rate', 'operator CPU', 'operator RSS now / peak']];
  const bare = new Map<number, number>();
  for (const size of SIZES) bare.set(size, await createAlone(scene, size));
  const operator = await scene.startOperator();
  for (const size of SIZES) table.push(await many(scene, operator, size, bare.get(size) ?? 0));
  table.push(...(await singles(scene, operator)));
  await operator.stop();
  table.push(await resync(scene));
  return {
    table,
    notes: [
      'The API server alone: the same objects created at the same parallelism (20) while no operator runs. Ready: seen Ready=True for its generation on a watch, measured from the first create.',
      'Every app has a front-end and an API that are probed, an entry in PostgreSQL (durable) and in Redis, a finalizer, a status and an event. All processes share the machine.',
      'A resync that changes nothing: the operator starts anew on all objects; registry writes are counted by the registry revision.',
    ],
  };
}

async function createAlone({ tools, objects, spec }: Scene, size: number): Promise<number> {
  tools.say(`creating ${size} objects without an operator`);
  const began = performance.now();
  await objects.create(names('alone', size), spec);
  const seconds = elapsed(began);
  await objects.deleteAll();
  return seconds;
}

/** All at once, from the first create until the last is Ready; then they are deleted, except the last lot. */
async function many({ tools, objects, spec }: Scene, operator: ServerProcess, size: number, alone: number): Promise<string[]> {
  tools.say(`${size} objects until all are Ready`);
  const cpuBefore = operator.usage().cpuMs;
  const all = names(`app-${size}`, size);
  const began = performance.now();
  await objects.create(all, spec);
  await objects.allReady(all);
  const seconds = elapsed(began);
  const { cpuMs, rssMb, peakMb } = operator.usage();
  if (size !== SIZES.at(-1)) await objects.deleteAll();
  return [`${size} new objects, all Ready`, ratio(seconds, alone), figure(seconds, ' s'), figure(size / seconds, '/s'), `${figure((cpuMs - cpuBefore) / size)} ms/object`, memory(rssMb, peakMb)];
}

/** One new object after the other while the operator has nothing else to do. */
async function singles({ tools, objects, spec }: Scene, operator: ServerProcess): Promise<string[][]> {
  tools.say(`${SINGLES} objects one after the other`);
  const created: number[] = [];
  const ready: number[] = [];
  for (const name of names('single', SINGLES)) {
    const began = performance.now();
    await objects.create([name], spec);
    created.push(performance.now() - began);
    await objects.allReady([name]);
    ready.push((objects.readyAt.get(name) ?? 0) - began);
  }
  const { rssMb, peakMb } = operator.usage();
  const row = (what: string, pick: (values: readonly number[]) => number): string[] => [what, ratio(pick(ready), pick(created)), figure(pick(ready), ' ms'), '', '', memory(rssMb, peakMb)];
  return [row('one new object while idle, median', median), row('one new object while idle, p95', (values) => quantile(values, 0.95))];
}

async function resync({ tools, shell, objects, startOperator }: Scene): Promise<string[]> {
  const count = objects.present.size;
  tools.say(`resync of ${count} objects`);
  const writes = await shell.writes();
  const versions = JSON.stringify([...objects.present]);
  const began = performance.now();
  const operator = await startOperator();
  while ((await reconciled(operator)) < count) await new Promise((resolve) => setTimeout(resolve, 50));
  const seconds = elapsed(began);
  const { cpuMs, rssMb, peakMb } = operator.usage();
  const registryWrites = (await shell.writes()) - writes;
  const changed = JSON.stringify([...objects.present]) !== versions;
  await operator.stop();
  return [`resync of ${count} unchanged objects: ${registryWrites} registry writes, ${changed ? 'some' : 'no'} object writes`, '', figure(seconds, ' s'), figure(count / seconds, '/s'), `${figure(cpuMs / count)} ms/object`, memory(rssMb, peakMb)];
}

const memory = (rss: number, peak: number): string => `${rss.toFixed(0)} / ${peak.toFixed(0)} MB`;

async function reconciled(operator: ServerProcess): Promise<number> {
  const text = await (await fetch(`${operator.url}/metrics`)).text();
  return [...text.matchAll(/^controller_runtime_reconcile_total\{[^}]*result="(?:success|requeue_after)"[^}]*\} (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** The flags of `npm start` of the operator, which keep its memory low. */
function operatorFlags(): string[] {
  const { scripts } = JSON.parse(readFileSync(new URL('operator/package.json', ROOT), 'utf8')) as { scripts: { start: string } };
  return scripts.start.split(' ').filter((word) => word.startsWith('--'));
}

async function startOperator({ folder, atEnd }: BenchTools, shell: BenchShell, kubeconfig: string, satellite: string): Promise<ServerProcess> {
  const operator = await ServerProcess.start({
    name: 'operator',
    script: fileURLToPath(new URL('operator/dist/main.js', ROOT)),
    portVariable: 'OPERATOR_HEALTH_PORT',
    readyPath: '/readyz',
    folder,
    nodeFlags: operatorFlags(),
    environment: {
      OPERATOR_SHELL_URL: shell.server.url, OPERATOR_CLIENT_ID: shell.clientId, OPERATOR_CLIENT_SECRET: shell.clientSecret,
      OPERATOR_PLATFORM_URL: 'http://platform.test', OPERATOR_OUTBOUND_ALLOW: new URL(satellite).host,
      OPERATOR_KUBECONFIG: kubeconfig, OPERATOR_LEADER_ELECTION: 'false', OPERATOR_WORKERS: String(WORKERS),
    },
  });
  atEnd(() => operator.stop());
  return operator;
}

const specFor = (satellite: string) => (name: string): object => ({
  slug: name, name: `App ${name}`, type: 'satellite', apiUrl: `${satellite}/api`, uiUrl: `${satellite}/ui`, version: '1.0.0',
  permissions: [{ code: `${name}.items:read` }], limitKeys: [{ key: `${name}.items` }], navigation: [{ title: 'Home', path: '/' }],
});

/** One satellite that answers for all apps; in this process, since it has little to do. */
async function startSatellite({ atEnd }: BenchTools): Promise<string> {
  const openapi = JSON.stringify({ openapi: '3.0.0', info: { title: 'bench', version: '1' }, paths: {} });
  const server = createServer((request, response) => {
    if (request.url === '/ui/remoteEntry.js') response.writeHead(200, { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' }).end('export const App = () => null;\n');
    else response.writeHead(200, { 'content-type': 'application/json' }).end(request.url === '/api/health' ? '{}' : openapi);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
