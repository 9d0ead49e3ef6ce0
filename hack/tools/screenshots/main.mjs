// Takes the pictures in hack/docs/img: starts the platform in a folder of its own, fills it with a company, and looks at
// its main pages in Chromium, light and dark, wide and narrow. Run by: make screenshots
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer from 'puppeteer';
import { fillPlatform } from './company.mjs';

const IMAGES = fileURLToPath(new URL('../../docs/img/', import.meta.url));
const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const LIMIT_MS = 120_000;

/** Who looks at what: name of the picture, path, scheme, window, and what is done before the picture is taken. */
const PICTURES = [
  ['sign-in-light', undefined, '/sign-in', 'light', WIDE],
  ['launchpad-light', 'owner', '/', 'light', WIDE],
  ['launchpad-dark', 'owner', '/', 'dark', WIDE],
  ['launchpad-narrow', 'owner', '/', 'light', NARROW],
  ['drive-light', 'owner', '/apps/drive', 'light', WIDE],
  ['drive-dark', 'owner', '/apps/drive', 'dark', WIDE],
  ['drive-narrow', 'owner', '/apps/drive', 'dark', NARROW],
  ['drive-preview', 'owner', '/apps/drive', 'light', WIDE, (page) => page.locator('::-p-text(Hills at dawn.jpg)').click()],
  ['billing-light', 'owner', '/settings/billing', 'light', { ...WIDE, height: 1240 }],
  ['roles-light', 'owner', '/admin/roles', 'light', WIDE],
  ['app-dark', 'admin', '/admin/apps', 'dark', { ...WIDE, height: 1080 }, (page) => page.locator('::-p-aria(Drive drive)').click()],
  ['statistics-light', 'admin', '/admin/stats', 'light', WIDE],
];

const data = mkdtempSync(join(tmpdir(), 'screenshots-'));
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const platform = spawn(process.execPath, [fileURLToPath(new URL('../../../services/standalone/dist/main.js', import.meta.url))], { env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'production', PORT: String(port), DATA_DIR: data }, stdio: ['ignore', 'ignore', 'inherit'] });
const ended = new Promise((resolve) => platform.once('exit', resolve));
const browser = await puppeteer.launch({ executablePath: execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim(), args: ['--no-sandbox', '--disable-dev-shm-usage', '--lang=en-US', '--force-prefers-reduced-motion'] });
try {
  await until(async () => (await (await fetch(`${url}/api/config/apps`)).json()).data.some(({ slug }) => slug === 'drive'));
  const { adminPassword } = JSON.parse(readFileSync(join(data, 'secrets.json'), 'utf8'));
  const people = await fillPlatform(url, adminPassword, browser);
  await buyPlan(people.owner);
  mkdirSync(IMAGES, { recursive: true });
  for (const [name, who, path, scheme, viewport, prepare] of PICTURES) {
    const page = await pageOf(people[who], viewport, scheme);
    await page.goto(url + path, { waitUntil: 'networkidle0' });
    await prepare?.(page);
    await page.waitForNetworkIdle({ idleTime: 1000 });
    await page.screenshot({ path: join(IMAGES, `${name}.png`) });
    console.log(`  ${name}.png`);
    await page.browserContext().close();
  }
} finally {
  await browser.close();
  platform.kill('SIGTERM');
  await ended;
  rmSync(data, { recursive: true, force: true });
}

/** A window of its own, in which this person is signed in. */
async function pageOf(person, viewport, scheme) {
  const page = await (await browser.createBrowserContext()).newPage();
  page.setDefaultTimeout(LIMIT_MS);
  await page.setViewport(viewport);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  const stored = person === undefined ? {} : { 'platform.session': JSON.stringify(person.session) };
  await page.evaluateOnNewDocument((entries) => {
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
  }, stored);
  return page;
}

/** As a person does: on the payment page of the local processor. */
async function buyPlan({ call }) {
  const page = await pageOf(undefined, WIDE, 'light');
  await page.goto((await call('POST', '/subscriptions/upgrade', { planCode: 'PRO', interval: 'monthly' })).checkoutUrl);
  await page.locator('button[type="submit"]').click();
  await until(async () => (await call('GET', '/subscriptions/current')).status === 'active');
  await page.browserContext().close();
}

async function until(isTrue) {
  for (const deadline = Date.now() + LIMIT_MS; !(await isTrue().catch(() => false)); ) {
    if (Date.now() > deadline) throw new Error(`waited in vain for: ${isTrue}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

function freePort() {
  const server = createServer();
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  }));
}
