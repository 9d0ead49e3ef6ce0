import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { query } from '@satellite/kit/testing';
import { CONSUME_STATEMENT } from '@satellite/shell';
import type { Bench, BenchTools } from '../bench.js';
import { figure, median, ratio } from '../harness/figures.js';
import { startShell, type BenchShell } from '../harness/platform.js';
import { interleaved } from '../harness/rounds.js';

const CLIENTS = 64;
const ROUNDS = 5;
const REQUESTS = 1280;
const MANY = 1000;

interface Figures {
  readonly perSecond: number;
  readonly meanMs: number;
}

/** What every metered request of every satellite costs. */
export const quota: Bench = {
  name: 'quota',
  title: `POST /api/subscriptions/consume by ${CLIENTS} clients`,
  async run(tools) {
    const shell = await startShell(tools);
    const { organizationId, token } = await register(shell);
    await addLimits(shell);
    tools.say(`${ROUNDS} rounds of ${REQUESTS} calls each, ${CLIENTS} clients`);
    const rows: string[][] = [];
    for (const counters of [1, MANY]) rows.push(...(await compared(shell, tools, { organizationId, token, counters })));
    await assertCounted(shell);
    return {
      table: [['counters', 'what', 'calls/s against pgbench', 'calls/s', 'mean ms'], ...rows],
      notes: [
        `Medians of ${ROUNDS} interleaved rounds of ${REQUESTS} calls; every write reaches the disk before it is answered.`,
        `pgbench sends the Shell's own statement over ${CLIENTS} connections and does nothing else. The Shell reads the request, verifies the token and its revocation, writes its log line, and sends the statement over its pool of 10 connections: on one counter that is an advantage, because fewer transactions wait for one row.`,
        `${MANY} counters: ${MANY} limits of one organization, taken at random.`,
      ],
    };
  },
};

async function register(shell: BenchShell): Promise<{ organizationId: string; token: string }> {
  const response = await fetch(`${shell.server.url}/api/auth/register`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ email: 'quota@example.org', username: 'quota', password: 'a password to remember', firstName: 'Quo', lastName: 'Ta', plan: 'HOBBY' }) });
  if (!response.ok) throw new Error(`register answers ${response.status}: ${await response.text()}`);
  const { data } = (await response.json()) as { data: { accessToken: string; user: { organizationId: string } } };
  return { organizationId: data.user.organizationId, token: data.accessToken };
}

/** Limits as an app would declare them, too high to be reached. */
async function addLimits({ databaseUrl }: BenchShell): Promise<void> {
  await query(databaseUrl, `insert into plan_limits (plan_id, limit_key, limit_value, period) select p.id, 'bench.k' || n, 1000000000, 'monthly' from plans p, generate_series(1, ${MANY}) n where p.code = 'HOBBY'`);
}

/** The Shell and pgbench take turns. */
async function compared(shell: BenchShell, { folder }: BenchTools, { organizationId, token, counters }: { organizationId: string; token: string; counters: number }): Promise<string[][]> {
  const script = join(folder, `consume-${counters}.sql`);
  const parameters = [':org', `('bench.k' || :n)`, ':org', `('bench.k' || :n)`, '1', '1'];
  await writeFile(script, `\\set n random(1, ${counters})\n${CONSUME_STATEMENT.replaceAll('?', () => parameters.shift() ?? '').replaceAll('\n', ' ')};\n`);
  const body = (): string => JSON.stringify({ limitKey: `bench.k${1 + Math.floor(Math.random() * counters)}` });
  const contestant = { server: shell.server, path: '/api/subscriptions/consume', method: 'POST' as const, headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` }, body, status: 200 };
  const [mine, theirs]: [Figures[], Figures[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const [speed] = await interleaved([contestant], { rounds: 1, requests: REQUESTS, connections: CLIENTS, warmUp: false });
    const plain = await pgbench(shell.databaseUrl, script, organizationId);
    if (round === 0 || !speed) continue; // the first warms up
    mine.push({ perSecond: speed.perSecond, meanMs: speed.meanMs });
    theirs.push(plain);
  }
  const middle = (figures: Figures[]): Figures => ({ perSecond: median(figures.map(({ perSecond }) => perSecond)), meanMs: median(figures.map(({ meanMs }) => meanMs)) });
  const [shellFigures, plainFigures] = [middle(mine), middle(theirs)];
  return ([['Shell', shellFigures], ['pgbench, the same SQL', plainFigures]] as const).map(([what, { perSecond, meanMs }]) => [figure(counters), what, ratio(perSecond, plainFigures.perSecond), figure(perSecond), figure(meanMs)]);
}

async function pgbench(databaseUrl: string, script: string, organizationId: string): Promise<Figures> {
  const run = promisify(execFile)('pgbench', ['-n', '-M', 'prepared', '-c', String(CLIENTS), '-j', '2', '-t', String(Math.ceil(REQUESTS / CLIENTS)), '-D', `org=${organizationId}`, '-f', script, databaseUrl]);
  const { stdout } = await run.catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error('pgbench is missing. Install it: apt-get install -y postgresql-contrib') : error;
  });
  const [, perSecond] = /tps = ([\d.]+)/.exec(stdout) ?? [];
  const [, meanMs] = /latency average = ([\d.]+)/.exec(stdout) ?? [];
  if (perSecond === undefined || meanMs === undefined || !stdout.includes('number of failed transactions: 0')) throw new Error(`pgbench says:\n${stdout}`);
  return { perSecond: Number(perSecond), meanMs: Number(meanMs) };
}

/** Nothing that was answered may be missing, or the figures are worth nothing. */
async function assertCounted({ databaseUrl }: BenchShell): Promise<void> {
  const expected = 2 * (ROUNDS + 1) * (REQUESTS + Math.ceil(REQUESTS / CLIENTS) * CLIENTS);
  const { rows } = await query(databaseUrl, `select sum(used)::int as used from usage_counters where limit_key like 'bench.%'`);
  const { used } = rows[0] as { used: number };
  if (used !== expected) throw new Error(`${expected} calls were answered, ${used} were counted`);
}
