import { execFileSync } from 'node:child_process';
import puppeteer, { type Browser, type Page } from 'puppeteer';
import type { BenchTools } from '../bench.js';

/** How one page came to be usable. */
export interface Visit {
  readonly ms: number;
  /** What came over the wire, headers and all. */
  readonly kilobytes: number;
}

export async function startChromium({ atEnd }: BenchTools): Promise<Browser> {
  const browser = await puppeteer.launch({ executablePath: execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim(), args: ['--no-sandbox', '--disable-dev-shm-usage', '--lang=en-US'] });
  atEnd(() => browser.close());
  return browser;
}

/** A window with storage and cache of its own. @param stored put into its local storage before any page runs */
export async function openWindow(browser: Browser, stored: Readonly<Record<string, string>> = {}): Promise<Page> {
  const page = await (await browser.createBrowserContext()).newPage();
  page.setDefaultTimeout(60_000);
  await page.evaluateOnNewDocument((entries) => {
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
  }, stored);
  return page;
}

/** From the navigation until the browser has painted what one waits for. */
export async function visit(page: Page, go: () => Promise<unknown>, usable: string): Promise<Visit> {
  const wire = await page.createCDPSession();
  let bytes = 0;
  await wire.send('Network.enable');
  wire.on('Network.loadingFinished', ({ encodedDataLength }) => void (bytes += encodedDataLength));
  const began = performance.now();
  await go();
  await page.waitForSelector(usable);
  // the next frame shows it
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  const ms = performance.now() - began;
  await page.waitForNetworkIdle({ idleTime: 200 });
  await wire.detach();
  return { ms, kilobytes: bytes / 1000 };
}
