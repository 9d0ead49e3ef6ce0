import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'puppeteer';
import type { Bench, BenchTools } from '../bench.js';
import { openWindow, startChromium, visit, type Visit } from '../harness/browser.js';
import { figure, median, ratio } from '../harness/figures.js';
import { distOf, firstLoadOfShell, REMOTE_LIMIT, remotes, SHELL_LIMIT } from '../harness/front-ends.js';
import { ServerProcess } from '../harness/server-process.js';

const ROUNDS = 9;
const START_LIMIT_MS = 120_000;
const CARD = 'main a.app-card';
const DRIVE = '[data-app="drive"] input[type="file"]';

interface Platform {
  readonly url: string;
  /** The administrator's session, as the Shell's page keeps it. */
  readonly session: Readonly<Record<string, string>>;
}

/** Front-ends: what they weigh, and how long one waits for them. */
export const web: Bench = {
  name: 'web',
  title: 'Front-ends: size, and time to a usable launchpad in Chromium',
  async run(tools) {
    const [platform, bare] = [await startPlatform(tools), await startBarePage(tools)];
    const browser = await startChromium(tools);
    tools.say(`${ROUNDS} rounds`);
    const visits = new Map<string, Visit[]>();
    for (let round = 0; round <= ROUNDS; round += 1) {
      // the first round warms up the servers
      for (const [name, one] of await roundOf(browser, platform, bare)) if (round > 0) visits.set(name, [...(visits.get(name) ?? []), one]);
    }
    return { table: [['what', 'compressed', 'limit or wire', 'time', 'against a bare page'], ...sizes(), ...times(visits)], notes: NOTES };
  },
};

const NOTES = [
  'Sizes are those of `gzip -6` over scripts and styles; a test fails above the limits. For a visit the third column is what came over the wire, with the API and all headers.',
  `Times are medians of ${ROUNDS} interleaved rounds, from the navigation until Chromium has painted the first app's card or Drive's upload field; the session is there already. Chromium, the platform and PostgreSQL share the machine.`,
  'The bare page loads the same files from a bare server and runs none of them.',
];

function sizes(): string[][] {
  const row = (what: string, gzipped: number, limit: number): string[] => [what, figure(gzipped / 1000, ' kB'), figure(limit / 1000, ' kB'), '–', '–'];
  return [row('Shell, from nothing to the launchpad', firstLoadOfShell().gzipped, SHELL_LIMIT), ...[...remotes()].map(([slug, { gzipped }]) => row(`${slug}, all of its front-end`, gzipped, REMOTE_LIMIT))];
}

function times(visits: ReadonlyMap<string, readonly Visit[]>): string[][] {
  const of = (name: string, field: keyof Visit): number => median((visits.get(name) ?? []).map((one) => one[field]));
  return [...visits.keys()].map((name) => {
    const baseline = name.endsWith('empty cache') ? 'bare page, empty cache' : 'bare page, filled cache';
    return [name, '–', figure(of(name, 'kilobytes'), ' kB'), figure(of(name, 'ms'), ' ms'), ratio(of(name, 'ms'), of(baseline, 'ms'))];
  });
}

/** Each way once: in a new window, then again in the same one. */
async function roundOf(browser: Browser, { url, session }: Platform, bare: ServerProcess): Promise<Map<string, Visit>> {
  const found = new Map<string, Visit>();
  const both = async (name: string, page: Page, usable: string, go: () => Promise<unknown>, before: () => Promise<unknown> = async () => undefined): Promise<void> => {
    for (const cache of ['empty', 'filled']) {
      await before();
      found.set(`${name}, ${cache} cache`, await visit(page, go, usable));
    }
    await page.browserContext().close();
  };
  const empty = await openWindow(browser);
  await both('bare page', empty, 'h1', () => empty.goto(bare.url, { waitUntil: 'load' }));
  const guest = await openWindow(browser);
  await both('sign-in page', guest, 'input[type="password"]', () => guest.goto(`${url}/sign-in`));
  const page = await openWindow(browser, session);
  await both('launchpad', page, CARD, () => page.goto(url));
  const driving = await openWindow(browser, session);
  await both('Drive by its card', driving, DRIVE, () => driving.click(`${CARD}[href="/apps/drive"]`), async () => {
    await driving.goto(url);
    await driving.waitForSelector(`${CARD}[href="/apps/drive"]`);
  });
  return found;
}

async function startBarePage({ folder, atEnd }: BenchTools): Promise<ServerProcess> {
  const server = await ServerProcess.start({ name: 'bare page', script: fileURLToPath(new URL('../servers/bare-page.js', import.meta.url)), portVariable: 'PORT', readyPath: '/', folder, environment: { FOLDER: distOf('shell'), FILES: JSON.stringify(firstLoadOfShell().files) } });
  atEnd(() => server.stop());
  return server;
}

/** The whole platform as `make run` starts it, and its administrator. */
async function startPlatform({ folder, say, atEnd }: BenchTools): Promise<Platform> {
  say('starting the platform');
  const data = join(folder, 'platform');
  const server = await ServerProcess.start({ name: 'platform', script: fileURLToPath(new URL('../../../../services/standalone/dist/main.js', import.meta.url)), portVariable: 'PORT', readyPath: '/drive/api/health', folder, environment: { DATA_DIR: data } });
  atEnd(() => server.stop());
  const { adminPassword } = JSON.parse(await readFile(join(data, 'secrets.json'), 'utf8')) as { adminPassword: string };
  const answer = await fetch(`${server.url}/api/auth/local-login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ usernameOrEmail: 'admin@platform.local', password: adminPassword }) });
  if (!answer.ok) throw new Error(`the administrator cannot sign in: ${answer.status} ${await answer.text()}`);
  const { data: issued } = (await answer.json()) as { data: { accessToken: string; refreshToken: string; expiresIn: number } };
  await untilOffered(server.url, issued.accessToken);
  return { url: server.url, session: { 'platform.session': JSON.stringify({ ...issued, expiresAt: Date.now() + issued.expiresIn * 1000 }), 'platform.language': 'en' } };
}

/** The operator registers Drive a moment after the start. */
async function untilOffered(url: string, token: string): Promise<void> {
  for (const deadline = Date.now() + START_LIMIT_MS; ;) {
    const apps = (await (await fetch(`${url}/api/config/apps`, { headers: { authorization: `Bearer ${token}` } })).json()) as { data?: readonly { slug: string }[] };
    if (apps.data?.some(({ slug }) => slug === 'drive') === true) return;
    if (Date.now() > deadline) throw new Error('Drive does not appear in the launchpad');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
