import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { startTestCluster, type ClusterFacts } from '@satellite/kit/testing';
import type { BenchTools } from '../bench.js';
import { Objects } from './objects.js';
import { startShell, type BenchShell } from './platform.js';
import { ServerProcess, usageOf } from './server-process.js';
import { SlowRoad } from './slow-road.js';

const ROOT = new URL('../../../../', import.meta.url);
const CRD = fileURLToPath(new URL('crds/satelliteapps.platform.satellite.io.yaml', ROOT));
export const WORKERS = 16;
export const REGISTRY_DELAY_MS = 20;

/** A real API server, a real Shell a little way off, a satellite that answers for all apps, and operators to start. */
export interface OperatorScene {
  readonly tools: BenchTools;
  readonly shell: BenchShell;
  readonly objects: Objects;
  readonly spec: (name: string) => object;
  startOperator(environment?: Readonly<Record<string, string>>): Promise<ServerProcess>;
  /** CPU time so far of everything that works on objects, in milliseconds. */
  cpu(operator: ServerProcess): Readonly<Record<'operator' | 'Shell' | 'API server', number>>;
}

export async function openOperatorScene(tools: BenchTools): Promise<OperatorScene> {
  const shell = await startShell(tools, { APP_ENV_LIMIT_TOKEN_PER_MINUTE: '1000' });
  const road = await SlowRoad.to(shell.server.url, REGISTRY_DELAY_MS);
  tools.atEnd(async () => road.close());
  tools.say('starting etcd and kube-apiserver');
  const cluster = await startTestCluster(fileURLToPath(new URL('.tools/bin', ROOT)));
  tools.atEnd(() => cluster.stop());
  const objects = await Objects.open(cluster.facts, CRD);
  tools.atEnd(async () => objects.close());
  const satellite = await startSatellite(tools);
  return {
    tools, shell, objects,
    spec: specFor(satellite),
    startOperator: (environment = {}) => startOperator(tools, { shellUrl: road.url, shell, cluster: cluster.facts, satellite, environment }),
    cpu: (operator) => ({ operator: operator.usage().cpuMs, Shell: shell.server.usage().cpuMs, 'API server': usageOf(cluster.facts.apiserverPid).cpuMs }),
  };
}

interface OperatorSurroundings {
  readonly shellUrl: string;
  readonly shell: BenchShell;
  readonly cluster: ClusterFacts;
  readonly satellite: string;
  readonly environment: Readonly<Record<string, string>>;
}

async function startOperator({ folder, atEnd }: BenchTools, { shellUrl, shell, cluster, satellite, environment }: OperatorSurroundings): Promise<ServerProcess> {
  const operator = await ServerProcess.start({
    name: 'operator',
    script: fileURLToPath(new URL('operator/dist/bundle/main.js', ROOT)),
    portVariable: 'OPERATOR_HEALTH_PORT',
    readyPath: '/readyz',
    folder,
    nodeFlags: operatorFlags(),
    environment: {
      OPERATOR_SHELL_URL: shellUrl, OPERATOR_CLIENT_ID: shell.clientId, OPERATOR_CLIENT_SECRET: shell.clientSecret,
      OPERATOR_PLATFORM_URL: 'http://platform.test', OPERATOR_OUTBOUND_ALLOW: new URL(satellite).host,
      OPERATOR_KUBECONFIG: cluster.kubeconfig, OPERATOR_LEADER_ELECTION: 'false', OPERATOR_WORKERS: String(WORKERS),
      ...environment,
    },
  });
  atEnd(() => operator.stop());
  return operator;
}

/** The flags of `npm start` of the operator, which keep its memory low. */
function operatorFlags(): string[] {
  const { scripts } = JSON.parse(readFileSync(new URL('operator/package.json', ROOT), 'utf8')) as { scripts: { start: string } };
  return scripts.start.split(' ').filter((word) => word.startsWith('--'));
}

const specFor = (satellite: string) => (name: string): object => ({
  slug: name, name: `App ${name}`, type: 'satellite', apiUrl: `${satellite}/api`, uiUrl: `${satellite}/ui`, version: '1.0.0', interval: '24h',
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
