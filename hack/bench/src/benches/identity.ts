import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import bcrypt from 'bcrypt';
import { generateKeyPair, SignJWT } from 'jose';
import type { Bench, BenchTools } from '../bench.js';
import { figure, median, ratio } from '../harness/figures.js';
import { startShell, type BenchShell } from '../harness/platform.js';
import { interleaved } from '../harness/rounds.js';
import { ServerProcess } from '../harness/server-process.js';

const LOAD = { rounds: 5, requests: 3000, connections: 20 };
const REFRESHES = { clients: 20, each: 40 };
const LOGIN_MS = 5000;
const FLOOD_MS = 6000;
const UNLIMITED = { APP_ENV_LIMIT_LOGIN_PER_MINUTE: '1000000', APP_ENV_LIMIT_TOKEN_PER_MINUTE: '1000000', APP_ENV_LIMIT_REGISTER_PER_MINUTE: '1000000' };
const JSON_TYPE = { 'content-type': 'application/json' };

interface Session {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly user: { readonly id: string };
}

/** Signing in, staying signed in, and what a flood of sign-ins does to everybody else. */
export const identity: Bench = {
  name: 'identity',
  title: 'Sign-in, sessions and tokens',
  async run(tools) {
    const shell = await startShell(tools, UNLIMITED);
    const person = await register(shell);
    await shell.asAdmin('POST', '/api/admin/apps', { slug: 'drive', name: 'Drive', type: 'satellite', apiUrl: '/drive/api' });
    const rows = [...(await profile(shell, person, tools)), ...(await exchange(shell, person, tools)), ...(await refresh(shell, tools)), ...(await login(shell, person, tools)), ...(await flood(shell, person, tools))];
    return {
      table: [['what', 'figure', 'baseline', 'ratio'], ...rows],
      notes: [
        `Medians of ${LOAD.rounds} interleaved rounds of ${LOAD.requests} requests over ${LOAD.connections} connections; CPU is that of the Shell's process, PostgreSQL and the load generator share the machine.`,
        'An exchange and a refresh each sign one token by RSA-2048; the baseline is that signature alone, in a process that does nothing else.',
        `A sign-in costs a bcrypt hash of cost 12; ${Math.max(1, availableParallelism() - 1)} run at once, so that one core stays free. The baseline is bcrypt alone with as many at once.`,
        'The flood comes without limits by address, 16 at a time, each with another name; with the default limits nearly all of it would be 429.',
      ],
    };
  },
};

async function register(shell: BenchShell): Promise<Session> {
  const name = `bench${Math.random().toString(36).slice(2, 10)}`;
  const body = { email: `${name}@example.org`, username: name, password: 'a password to remember', firstName: 'Ben', lastName: 'Ch', plan: 'HOBBY' };
  return post<Session>(shell, '/api/auth/register', body);
}

async function post<T>(shell: BenchShell, path: string, body: object, token?: string): Promise<T> {
  const response = await fetch(shell.server.url + path, { method: 'POST', headers: { ...JSON_TYPE, ...(token !== undefined && { authorization: `Bearer ${token}` }) }, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { data: T }).data;
}

async function profile(shell: BenchShell, { accessToken }: Session, { folder, atEnd, say }: BenchTools): Promise<string[][]> {
  say('GET /api/auth/me');
  const headers = { authorization: `Bearer ${accessToken}` };
  const bodyFile = join(folder, 'me.json');
  await writeFile(bodyFile, Buffer.from(await (await fetch(`${shell.server.url}/api/auth/me`, { headers })).arrayBuffer()));
  const bare = await ServerProcess.start({ name: 'bare Express', script: fileURLToPath(new URL('../servers/bare-express.js', import.meta.url)), portVariable: 'PORT', readyPath: '/api/config/apps', folder, environment: { BODY_FILE: bodyFile } });
  atEnd(() => bare.stop());
  const [mine, theirs] = await interleaved([{ server: shell.server, path: '/api/auth/me', headers, status: 200 }, { server: bare, path: '/api/config/apps', status: 200 }], LOAD);
  if (!mine || !theirs) throw new Error('a contestant is missing');
  return [['GET /api/auth/me, CPU', `${figure(mine.cpuUs)} µs (${figure(mine.perSecond)}/s)`, `bare Express, same bytes: ${figure(theirs.cpuUs)} µs`, ratio(mine.cpuUs, theirs.cpuUs)]];
}

async function exchange(shell: BenchShell, { accessToken }: Session, { say }: BenchTools): Promise<string[][]> {
  say('POST /api/auth/exchange');
  const sign = await signatureUs();
  const [speed] = await interleaved([{ server: shell.server, path: '/api/auth/exchange', method: 'POST', body: '{"service":"drive"}', headers: { ...JSON_TYPE, authorization: `Bearer ${accessToken}` }, status: 200 }], { ...LOAD, requests: 1000 });
  if (!speed) throw new Error('a contestant is missing');
  return [['POST /api/auth/exchange, CPU', `${figure(speed.cpuUs)} µs (${figure(speed.perSecond)}/s)`, `one RSA-2048 signature: ${figure(sign)} µs`, ratio(speed.cpuUs, sign)]];
}

/** CPU of one RS256 signature of a token, in microseconds. */
async function signatureUs(): Promise<number> {
  const { privateKey } = await generateKeyPair('RS256');
  const sign = (): Promise<string> => new SignJWT({ sub: 'x', roles: ['USER'] }).setProtectedHeader({ alg: 'RS256' }).setIssuedAt().sign(privateKey);
  const rounds: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const before = process.cpuUsage();
    for (let n = 0; n < 300; n += 1) await sign();
    const { user, system } = process.cpuUsage(before);
    rounds.push((user + system) / 300);
  }
  return median(rounds);
}

/** Every refresh changes the token, so each client goes on with its own. */
async function refresh(shell: BenchShell, { say }: BenchTools): Promise<string[][]> {
  say(`POST /api/auth/refresh, ${REFRESHES.clients} clients`);
  const sessions = await Promise.all(Array.from({ length: REFRESHES.clients }, () => register(shell)));
  const before = shell.server.usage().cpuMs;
  const began = performance.now();
  await Promise.all(sessions.map(async ({ refreshToken }) => {
    for (let n = 0, token = refreshToken; n < REFRESHES.each; n += 1) ({ refreshToken: token } = await post<{ refreshToken: string }>(shell, '/api/auth/refresh', { refreshToken: token }));
  }));
  const count = REFRESHES.clients * REFRESHES.each;
  const cpuUs = ((shell.server.usage().cpuMs - before) * 1000) / count;
  const sign = await signatureUs();
  return [['POST /api/auth/refresh, CPU', `${figure(cpuUs)} µs (${figure(count / ((performance.now() - began) / 1000))}/s)`, `one RSA-2048 signature: ${figure(sign)} µs`, ratio(cpuUs, sign)]];
}

async function login(shell: BenchShell, { user }: Session, { say }: BenchTools): Promise<string[][]> {
  say('POST /api/auth/local-login');
  const threads = Math.max(1, availableParallelism() - 1);
  const hash = await bcrypt.hash('a password to remember', 12);
  const bare = await perSecond(threads, async () => void (await bcrypt.compare('a password to remember', hash)));
  const names = await Promise.all(Array.from({ length: 8 }, async () => (await register(shell)).user));
  let turn = 0;
  const emails = [user, ...names].map((person) => (person as { email?: string }).email ?? '');
  const mine = await perSecond(8, () => post(shell, '/api/auth/local-login', { usernameOrEmail: emails[(turn += 1) % emails.length], password: 'a password to remember' }).then(() => undefined));
  return [['POST /api/auth/local-login', `${figure(mine)}/s`, `bcrypt alone: ${figure(bare)}/s`, ratio(mine, bare)]];
}

/** How often `work` ends in a second when so many run at once. */
async function perSecond(parallel: number, work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  let done = 0;
  await Promise.all(Array.from({ length: parallel }, async () => {
    while (performance.now() - began < LOGIN_MS) {
      await work();
      done += 1;
    }
  }));
  return done / ((performance.now() - began) / 1000);
}

async function flood(shell: BenchShell, { accessToken, user }: Session, { say }: BenchTools): Promise<string[][]> {
  say('CheckPermission while sign-ins flood in');
  const gateway = (await post<{ accessToken: string }>(shell, '/api/auth/exchange', { service: 'shell-rbac' }, accessToken)).accessToken;
  await checkP95(shell, gateway, user.id); // warms up
  const idle = await checkP95(shell, gateway, user.id);
  const end = performance.now() + FLOOD_MS + 1000;
  const flooding = Promise.all(Array.from({ length: 16 }, async (_, client) => {
    for (let n = 0; performance.now() < end; n += 1) await fetch(`${shell.server.url}/api/auth/local-login`, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ usernameOrEmail: `nobody-${client}-${n}`, password: 'x' }) }).then((response) => response.arrayBuffer());
  }));
  const flooded = await checkP95(shell, gateway, user.id);
  await flooding;
  return [['CheckPermission p95 under a flood of sign-ins', `${figure(flooded)} ms`, `idle: ${figure(idle)} ms`, ratio(flooded, idle)]];
}

/** 95th percentile of a steady 200 questions a second, in milliseconds; latency counts from when a question was due. */
async function checkP95(shell: BenchShell, token: string, sub: string): Promise<number> {
  const result = await autocannon({
    url: `${shell.server.url}/api/rbac.v1.RbacService/CheckPermission`, method: 'POST', headers: { ...JSON_TYPE, authorization: `Bearer ${token}` },
    body: JSON.stringify({ sub, act: 'list', obj: 'users' }), connections: 10, overallRate: 200, duration: FLOOD_MS / 1000,
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`CheckPermission: ${result.non2xx} refusals, ${result.errors} errors`);
  return result.latency.p97_5; // autocannon has no p95; the next one above is the stricter
}
