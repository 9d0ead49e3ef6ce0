import puppeteer, { type Browser, type BrowserContext, type Page } from 'puppeteer';
import { stage } from './stage.js';
import { Tab } from './tab.js';

let connection: Promise<Browser> | undefined;
const visitors: Visitor[] = [];

/** The Chromium of the run; one connection for each file of tests. */
function chromium(): Promise<Browser> {
  connection ??= puppeteer.connect({ browserWSEndpoint: stage().browser, defaultViewport: { width: 1280, height: 900 } });
  return connection;
}

/** What a person is signed in with, as the Shell keeps it in the browser. */
export interface Session {
  readonly accessToken: string;
  readonly expiresIn: number;
  readonly refreshToken?: string;
}

/** A browser of one person's own, private and empty, and a list of everything that went wrong in it. */
export class Visitor {
  readonly problems: string[] = [];
  private readonly expected: RegExp[] = [];

  private constructor(private readonly context: BrowserContext) {}

  /** @param downloads folder for what is downloaded */
  static async arrives({ session, downloads }: { readonly session?: Session; readonly downloads?: string } = {}): Promise<Visitor> {
    const browser = await chromium();
    const visitor = new Visitor(await browser.createBrowserContext({ ...(downloads !== undefined && { downloadBehavior: { policy: 'allow' as const, downloadPath: downloads } }) }));
    visitors.push(visitor);
    if (session !== undefined) await visitor.takes(session);
    return visitor;
  }

  /** Opens an address of the platform in a new tab. */
  async opens(path: string): Promise<Tab> {
    const tab = new Tab(await this.page(), this.problems);
    await tab.goto(path);
    return tab;
  }

  /** What is refused or missing because the test wants it so: matches `404 /api/…`, or what the console says. */
  expects(...problems: RegExp[]): void {
    this.expected.push(...problems);
  }

  async leaves(): Promise<void> {
    await this.context.close();
  }

  private async takes({ accessToken, expiresIn, refreshToken }: Session): Promise<void> {
    const page = await this.page();
    await page.goto(`${stage().url}/favicon.svg`);
    await page.evaluate((stored) => localStorage.setItem('platform.session', stored), JSON.stringify({ accessToken, refreshToken, expiresAt: Date.now() + expiresIn * 1000 }));
    await page.close();
  }

  private async page(): Promise<Page> {
    const page = await this.context.newPage();
    page.setDefaultTimeout(90_000);
    await page.evaluateOnNewDocument(() => addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => console.error(`content security policy: ${violatedDirective} ${blockedURI}`)));
    page.on('pageerror', (error) => this.report(`page error: ${String(error)}`));
    page.on('console', (message) => {
      // answers that are errors are looked at themselves
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) this.report(`console: ${message.text()}`);
    });
    page.on('request', (request) => {
      // chrome: is the browser's own viewer of PDF
      if (!request.url().startsWith(`${stage().url}/`) && !/^(data|blob|chrome|chrome-extension):/.test(request.url())) this.report(`other origin: ${request.url()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) this.report(`${response.status()} ${response.request().method()} ${new URL(response.url()).pathname}`);
    });
    page.on('requestfailed', (request) => {
      // a page that is left, or a question that nobody needs an answer to any more
      if (request.failure()?.errorText !== 'net::ERR_ABORTED') this.report(`failed: ${request.failure()?.errorText} ${request.url()}`);
    });
    return page;
  }

  private report(problem: string): void {
    if (!this.expected.some((pattern) => pattern.test(problem))) this.problems.push(problem);
  }
}

/** After each test: everybody goes home, and nothing has gone wrong that the test did not want. */
afterEach(async () => {
  const gone = visitors.splice(0);
  await Promise.all(gone.map((visitor) => visitor.leaves()));
  expect(gone.flatMap(({ problems }) => problems)).toEqual([]);
});

afterAll(async () => (await connection)?.disconnect());
