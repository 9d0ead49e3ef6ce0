import { source as axe, type AxeResults } from 'axe-core';
import type { ElementHandle, Page } from 'puppeteer';
import { stage } from './stage.js';

type Role = 'button' | 'link' | 'textbox' | 'searchbox' | 'dialog' | 'menuitem' | 'checkbox' | 'radio' | 'switch' | 'tab' | 'heading' | 'row' | 'alert';

/** One tab, used as people use it: by the roles and names of what is on the page. Everything waits until it is there. */
export class Tab {
  constructor(
    readonly page: Page,
    private readonly problems: readonly string[],
  ) {}

  async goto(path: string): Promise<void> {
    await this.page.goto(new URL(path, stage().url).href);
  }

  /** Within the page, as its own links go. */
  async goes(path: string): Promise<void> {
    await this.page.evaluate((to) => {
      history.pushState({}, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);
  }

  async clicks(role: Role, name: string): Promise<void> {
    await this.patiently(`no ${role} "${name}" to click`, this.page.locator(aria(role, name)).click());
  }

  async fills(name: string, text: string, role: Role = 'textbox'): Promise<void> {
    await this.patiently(`no ${role} "${name}" to fill`, this.page.locator(aria(role, name)).fill(text));
  }

  async presses(...keys: Parameters<Page['keyboard']['press']>[0][]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async finds(role: Role, name: string): Promise<ElementHandle> {
    return (await this.patiently(`no ${role} "${name}"`, this.page.waitForSelector(aria(role, name)))) as ElementHandle;
  }

  async misses(role: Role, name: string): Promise<void> {
    await this.patiently(`still a ${role} "${name}"`, this.page.waitForSelector(aria(role, name), { hidden: true }));
  }

  /** Waits until the words are on the page. */
  async reads(words: string): Promise<void> {
    await this.patiently(`no words "${words}"`, this.page.waitForFunction((text) => document.body.innerText.includes(text), {}, words));
  }

  async at(path: string): Promise<void> {
    await this.patiently(`not at ${path}`, this.page.waitForFunction((wished) => location.pathname === wished, {}, path));
  }

  /** Waits until the page has its heading, nothing on it is still loading or moving, and nothing is asked for. */
  async settles(): Promise<void> {
    await this.page.waitForFunction(() => document.querySelector('h1') !== null && document.querySelector('.mantine-Skeleton-root, .mantine-Loader-root') === null);
    await this.page.waitForNetworkIdle({ idleTime: 50 });
    await this.page.evaluate(() => Promise.all(document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity).map(({ finished }) => finished.catch(() => undefined))));
  }

  async scheme(scheme: 'light' | 'dark'): Promise<void> {
    await this.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }, { name: 'prefers-reduced-motion', value: 'reduce' }]);
    await this.page.waitForFunction((wished) => document.documentElement.dataset.mantineColorScheme === wished, {}, scheme);
  }

  /** What WCAG 2.2 AA does not allow on this page; a line each. */
  async violations(): Promise<string[]> {
    await this.page.evaluate(axe);
    const found = await this.page.evaluate(async () => {
      const { axe: runner } = globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResults> } };
      const { violations } = await runner.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'] });
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html, any, all, none }) => `${id}: ${[...any, ...all, ...none].map(({ message }) => message).join('; ')} – ${html.slice(0, 160)}`));
    });
    return found;
  }

  /** How far one would have to scroll to the right to see everything. */
  async overhang(): Promise<number> {
    return this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  }

  /** Who waited in vain is told what was there instead. */
  private async patiently<T>(complaint: string, work: Promise<T>): Promise<T> {
    return work.catch(async (error: unknown) => {
      const text = await this.page.evaluate(() => document.body.innerText).catch(() => '');
      throw new Error(`${complaint} at ${this.page.url()}, where it says:\n${text.slice(0, 2000)}\n${this.problems.join('\n')}`, { cause: error });
    });
  }
}

const aria = (role: Role, name: string): string => `::-p-aria([name=${JSON.stringify(name)}][role="${role}"])`;
