import { fileURLToPath } from 'node:url';
import type { Bench, BenchTools } from '../bench.js';
import { figure, ratio } from '../harness/figures.js';
import { startShell, type BenchShell } from '../harness/platform.js';
import { interleaved, type Contestant, type Speed } from '../harness/rounds.js';
import { ServerProcess } from '../harness/server-process.js';

const LOAD = { rounds: 5, requests: 5000, connections: 20 };
const JSON_TYPE = { 'content-type': 'application/json' };

interface Call {
  readonly method: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The questions that satellites ask at every request of theirs. */
export const gateway: Bench = {
  name: 'gateway',
  title: 'CheckPermission and GetUserPermissions as JSON',
  async run(tools) {
    const shell = await startShell(tools);
    const { sub, token } = await person(shell);
    const headers = { ...JSON_TYPE, authorization: `Bearer ${token}` };
    const calls: Call[] = [
      { method: 'CheckPermission', headers, body: JSON.stringify({ sub, act: 'list', obj: 'users' }) },
      { method: 'GetUserPermissions', headers, body: JSON.stringify({ sub }) },
    ];
    tools.say(`${LOAD.rounds} rounds of ${LOAD.requests} requests each, ${LOAD.connections} connections`);
    const rows: string[][] = [];
    for (const call of calls) rows.push(...(await compared(shell, call, tools)));
    return {
      table: [['method', 'server', 'CPU against bare Express', 'req/s against bare Express', 'CPU µs/request', 'req/s', 'p99 ms'], ...rows],
      notes: [
        `Medians of ${LOAD.rounds} interleaved rounds of ${LOAD.requests} requests over ${LOAD.connections} connections; CPU is that of the server's process. The load generator shares the machine.`,
        'The Shell verifies the token, its revocation and the policy each time, counts the decision and sends a request id. The bare handlers parse the same question, send the same answer and do nothing else.',
        'Connect: the same call by its own middleware, which every call that is not plain JSON takes.',
      ],
    };
  },
};

async function person(shell: BenchShell): Promise<{ sub: string; token: string }> {
  const post = async <T>(path: string, body: object, token?: string): Promise<T> => {
    const response = await fetch(shell.server.url + path, { method: 'POST', headers: { ...JSON_TYPE, ...(token !== undefined && { authorization: `Bearer ${token}` }) }, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
    return ((await response.json()) as { data: T }).data;
  };
  const { accessToken, user } = await post<{ accessToken: string; user: { id: string } }>('/api/auth/register', { email: 'gateway@example.org', username: 'gateway', password: 'a password to remember', firstName: 'Gate', lastName: 'Way', plan: 'HOBBY' });
  return { sub: user.id, token: (await post<{ accessToken: string }>('/api/auth/exchange', { service: 'shell-rbac' }, accessToken)).accessToken };
}

async function compared(shell: BenchShell, { method, body, headers }: Call, tools: BenchTools): Promise<string[][]> {
  const path = `/api/rbac.v1.RbacService/${method}`;
  const response = await fetch(shell.server.url + path, { method: 'POST', headers, body });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${method} answers ${response.status}: ${answer}`);
  const bare = await Promise.all([['bare Express 5', 'bare-json-express.js'], ['bare node:http', 'bare-json-http.js']].map(([name = '', file = '']) => startBare(tools, name, file, answer)));
  const contestants: Contestant[] = [
    { server: shell.server, path, method: 'POST', body, headers, status: 200 },
    ...bare.map((server): Contestant => ({ server, path: '/rpc', method: 'POST', body, headers, status: 200 })),
    { server: shell.server, path, method: 'POST', body, headers: { ...headers, 'connect-timeout-ms': '60000' }, status: 200 },
  ];
  const [mine, express, http, connect] = await interleaved(contestants, LOAD);
  for (const server of bare) await server.stop();
  if (!mine || !express || !http || !connect) throw new Error('a contestant is missing');
  return ([['Shell', mine], ['bare Express 5', express], ['bare node:http', http], ['Shell, by Connect', connect]] as [string, Speed][]).map(([server, speed]) => [
    method, server, ratio(speed.cpuUs, express.cpuUs), ratio(speed.perSecond, express.perSecond), figure(speed.cpuUs), figure(speed.perSecond), figure(speed.p99Ms),
  ]);
}

async function startBare({ folder, atEnd }: BenchTools, name: string, file: string, answer: string): Promise<ServerProcess> {
  const server = await ServerProcess.start({ name, script: fileURLToPath(new URL(`../servers/${file}`, import.meta.url)), portVariable: 'PORT', readyPath: file.includes('express') ? '/ready' : '/', folder, environment: { ANSWER: answer } });
  atEnd(() => server.stop());
  return server;
}
