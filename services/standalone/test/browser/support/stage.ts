import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@satellite/kit/testing';
import { stopLeftovers } from '@satellite/kit/embedded';
import puppeteer from 'puppeteer';
import { freePort, Run } from '../../support/run.js';

/** Where the browser tests play: a platform as `make run` starts it, and a Chromium. */
export interface Stage {
  readonly url: string;
  readonly adminEmail: string;
  readonly adminPassword: string;
  /** Data of the platform. */
  readonly folder: string;
  /** Where Chromium is reached. */
  readonly browser: string;
}

const VARIABLE = 'BROWSER_STAGE';
const READY_MS = 240_000;

/** What the tests need is quicker than what protects an account, and may be done more often. */
const SETTINGS = { APP_ENV_PASSWORD_COST: '4', APP_ENV_LIMIT_LOGIN_PER_MINUTE: '1000', APP_ENV_LIMIT_REGISTER_PER_MINUTE: '1000', APP_ENV_LIMIT_BILLING_PER_MINUTE: '1000' };

/** Starts both, and tells the workers by the environment. */
export async function startStage(): Promise<{ stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'satellite-browser-'));
  const run = new Run(folder, await freePort(), SETTINGS);
  // Without a teardown too: the platform stops by itself when it is asked.
  process.once('exit', () => run.child.kill('SIGINT'));
  const [browser] = await Promise.all([launch(), run.says('Ctrl-C stops everything')]);
  await eventually(async () => ((await run.json('/api/config/apps')) as { data: { slug: string }[] }).data.length >= 3, READY_MS, 'the launchpad with its apps');
  const adminPassword = /Password +(\S+)/.exec(run.output)?.[1] ?? '';
  process.env[VARIABLE] = JSON.stringify({ url: `http://127.0.0.1:${run.port}`, adminEmail: 'admin@platform.local', adminPassword, folder, browser: browser.wsEndpoint() } satisfies Stage);
  return {
    stop: async () => {
      await browser.close();
      await run.stop();
      await stopLeftovers(join(folder, 'postgres', 'data'));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The stage of this run. */
export function stage(): Stage {
  return JSON.parse(process.env[VARIABLE] ?? '') as Stage;
}

/** Chromium as it comes from the distribution; its sandbox needs rights that containers do not have. */
function launch() {
  return puppeteer.launch({ browser: 'chrome', executablePath: execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim(), args: ['--no-sandbox', '--disable-dev-shm-usage', '--lang=en-US'], env: { ...process.env, LANGUAGE: 'en_US' } });
}
