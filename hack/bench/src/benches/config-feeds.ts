import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench, BenchTools, Findings } from '../bench.js';
import { figure, ratio } from '../harness/figures.js';
import { startShell, type BenchShell } from '../harness/platform.js';
import { interleaved, type Contestant, type Speed } from '../harness/rounds.js';
import { ServerProcess } from '../harness/server-process.js';

const APPS = 20;
const LOAD = { rounds: 7, requests: 6000, connections: 20 };
const NOTES = [
  `Medians of ${LOAD.rounds} interleaved rounds of ${LOAD.requests} requests over ${LOAD.connections} connections; CPU is that of the server's process. The load generator shares the machine.`,
  'The Shell runs as in production: security headers, request id, envelope, metrics, one log line a request (to a file). The bare handlers send the same bytes and do nothing else.',
];

/** The launchpad feed: every user's every page load asks for it. */
export const configApps: Bench = {
  name: 'config-apps',
  title: `GET /api/config/apps with ${APPS} apps`,
  async run(tools) {
    const shell = await startShell(tools);
    await addApps(shell, tools);
    return compared(shell, tools, '/api/config/apps');
  },
};

/** The pricing page. */
export const configPlans: Bench = {
  name: 'config-plans',
  title: 'GET /api/config/plans with the three first plans',
  async run(tools) {
    return compared(await startShell(tools), tools, '/api/config/plans');
  },
};

/** A feed of the Shell against bare servers that send the same bytes. */
async function compared(shell: BenchShell, tools: BenchTools, path: string): Promise<Findings> {
  const answer = await fetch(shell.server.url + path);
  const body = Buffer.from(await answer.arrayBuffer());
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${body.toString()}`);
  const [express, http] = await bareServers(tools, path, body, answer.headers.get('etag') ?? '');
  const servers = [http, express, shell.server];
  tools.say(`${LOAD.rounds} rounds of ${LOAD.requests} requests each, ${LOAD.connections} connections`);
  const whole = await interleaved(servers.map((server): Contestant => ({ server, path, status: 200 })), LOAD);
  const tags = await Promise.all(servers.map(async ({ url }) => (await fetch(url + path)).headers.get('etag') ?? ''));
  const known = await interleaved(servers.map((server, index): Contestant => ({ server, path, status: 304, headers: { 'if-none-match': tags[index] ?? '' } })), LOAD);
  return { table: [['answer', 'server', 'CPU against bare Express', 'req/s against bare Express', 'CPU µs/request', 'req/s', 'p99 ms'], ...rows(`200, ${figure(body.length)} bytes`, whole), ...rows('304', known)], notes: NOTES };
}

function rows(answer: string, [http, express, shell]: readonly Speed[]): string[][] {
  if (!http || !express || !shell) throw new Error('a contestant is missing');
  return ([['Shell', shell], ['bare Express 5', express], ['bare node:http', http]] as const).map(([server, speed]) => [
    answer, server, ratio(speed.cpuUs, express.cpuUs), ratio(speed.perSecond, express.perSecond), figure(speed.cpuUs), figure(speed.perSecond), figure(speed.p99Ms),
  ]);
}

async function addApps(shell: BenchShell, { say }: BenchTools): Promise<void> {
  say(`registering ${APPS} apps`);
  for (let n = 1; n <= APPS; n += 1) {
    const slug = `app-${n}`;
    await shell.asAdmin('POST', '/api/admin/apps', {
      slug, name: `App number ${n}`, type: 'satellite', apiUrl: `/${slug}/api`, uiUrl: `/${slug}/ui`, icon: 'folder-open', description: `What people do with app number ${n}`, category: 'work', version: '1.0.0',
      permissions: [{ code: `${slug}.items:read` }, { code: `${slug}.items:write` }],
      navigation: [{ title: 'Home', path: '/' }, { title: 'Settings', path: '/settings', permission: `${slug}.items:write` }],
    });
  }
}

async function bareServers({ folder, atEnd }: BenchTools, path: string, body: Buffer, entityTag: string): Promise<[ServerProcess, ServerProcess]> {
  const bodyFile = join(folder, 'body.json');
  await writeFile(bodyFile, body);
  const start = async (name: string, file: string): Promise<ServerProcess> => {
    const server = await ServerProcess.start({ name, script: fileURLToPath(new URL(`../servers/${file}`, import.meta.url)), portVariable: 'PORT', readyPath: path, folder, environment: { ANSWER_PATH: path, BODY_FILE: bodyFile, ENTITY_TAG: entityTag } });
    atEnd(() => server.stop());
    return server;
  };
  return [await start('bare Express', 'bare-express.js'), await start('bare node:http', 'bare-http.js')];
}
