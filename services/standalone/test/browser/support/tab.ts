import { eventually } from '@satellite/kit/testing';
import { source as axe, type AxeResults } from 'axe-core';
import type { ElementHandle, Page } from 'puppeteer';
import { stage } from './stage.js';

type Role = 'button' | 'link' | 'textbox' | 'searchbox' | 'dialog' | 'menuitem' | 'checkbox' | 'radio' | 'switch' | 'tab' | 'heading' | 'row' | 'rowheader' | 'table' | 'alert' | 'progressbar';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

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

  /** By the keyboard, and waits until the server has said that it is on. */
  async switchesOn(name: string): Promise<void> {
    await this.settles();
    const found = await this.finds('switch', name);
    await found.focus();
    await this.presses('Space');
    await this.patiently(`"${name}" is not on`, this.page.waitForFunction((input) => (input as HTMLInputElement).checked && !(input as HTMLInputElement).disabled, {}, found));
  }

  /** In a dialog, when what is behind it has something of the same name. */
  async clicksIn(dialog: string, name: string): Promise<void> {
    await this.patiently(`no button "${name}" in "${dialog}"`, this.page.locator(`${aria('dialog', dialog)} >>> ${aria('button', name)}`).click());
  }

  /** A choice of the menu that a button opens. */
  async chooses(button: string, item: string): Promise<void> {
    await this.clicks('button', button);
    await this.clicks('menuitem', item);
    await this.misses('menuitem', item);
  }

  /** Gives a file to the chooser that a button opens. */
  async uploads(button: string, file: string): Promise<void> {
    const [chooser] = await Promise.all([this.page.waitForFileChooser(), this.clicks('button', button)]);
    await chooser.accept([file]);
  }

  /** Drops a file where files are taken. */
  async drops(name: string, content: string): Promise<void> {
    const area = await this.page.waitForSelector('.mantine-Dropzone-root');
    await area?.evaluate((element, [file = '', text = '']) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], file, { type: 'text/plain' }));
      for (const type of ['dragenter', 'dragover', 'drop']) element.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
    }, [name, content]);
  }

  /** What a field holds. */
  async value(name: string): Promise<string> {
    return (await this.finds('textbox', name)).evaluate((field) => (field as HTMLInputElement).value);
  }

  /** Looks at the page again after something else. */
  async returns(): Promise<void> {
    await this.page.bringToFront();
    await this.page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
  }

  /** Waits until the keyboard acts on what is called so. */
  async focused(name: string): Promise<void> {
    await this.patiently(`the focus is not on "${name}"`, this.page.waitForFunction((wished) => [document.activeElement?.getAttribute('aria-label'), document.activeElement?.textContent].includes(wished), {}, name));
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

  /** Scrolls there, and waits until it is whole within the window: what opens may still be sliding in. */
  async reaches(role: Role, name: string): Promise<void> {
    const found = await this.finds(role, name);
    await found.scrollIntoView();
    await this.patiently(`the ${role} "${name}" is not within the window`, this.page.waitForFunction((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    }, {}, found));
  }

  async misses(role: Role, name: string): Promise<void> {
    await this.patiently(`still a ${role} "${name}"`, this.page.waitForSelector(aria(role, name), { hidden: true }));
  }

  /** Opens the page again until it is there: what comes from outside comes when it comes. */
  async appears(role: Role, name: string): Promise<void> {
    await eventually(async () => {
      await this.page.reload();
      await this.settles();
      return (await this.page.$(aria(role, name))) !== null;
    }, 120_000, `the ${role} "${name}"`);
  }

  /** The id of the request that an error on the page names. */
  async requestId(): Promise<string | undefined> {
    return this.page.$eval('[role="alert"]', (alert) => /Request ([0-9a-f-]+)/.exec((alert as HTMLElement).innerText)?.[1]);
  }

  /** Waits until the words are on the page. */
  async reads(words: string): Promise<void> {
    await this.patiently(`no words "${words}"`, this.page.waitForFunction((text) => document.body.innerText.includes(text), {}, words));
  }

  path(): string {
    return new URL(this.page.url()).pathname;
  }

  /** Addresses of the links of the page that lead to other pages of the platform. */
  async links(): Promise<string[]> {
    return this.page.$$eval('a[href^="/"]:not([target], [download])', (links) => links.map(({ href }) => new URL(href).pathname));
  }

  /** By its shortcut; answers how many entries it has. */
  async opensPalette(): Promise<number> {
    await this.page.keyboard.down('Control');
    await this.page.keyboard.press('k');
    await this.page.keyboard.up('Control');
    await this.patiently('no palette', this.page.waitForSelector('[data-action]'));
    return this.page.$$eval('[data-action]', (actions) => actions.length);
  }

  async choosesFromPalette(index: number): Promise<void> {
    await this.page.$$eval('[data-action]', (actions, number) => (actions[number] as HTMLElement).click(), index);
    await this.patiently('still a palette', this.page.waitForSelector('[data-action]', { hidden: true }));
  }

  async at(path: string): Promise<void> {
    await this.patiently(`not at ${path}`, this.page.waitForFunction((wished) => location.pathname === wished, {}, path));
  }

  /** Waits until the page has its heading, nothing on it is still loading or moving, and nothing is asked for. */
  async settles(): Promise<void> {
    await this.patiently('still loading', this.page.waitForFunction(() => document.querySelector('h1') !== null && document.querySelector('.mantine-Skeleton-root, .mantine-Loader-root') === null));
    await this.page.waitForNetworkIdle({ idleTime: 50 });
    await this.rests();
  }

  async scheme(scheme: 'light' | 'dark'): Promise<void> {
    await this.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }, { name: 'prefers-reduced-motion', value: 'reduce' }]);
    await this.patiently(`not ${scheme}`, this.page.waitForFunction((wished) => document.documentElement.dataset['mantineColorScheme'] === wished, {}, scheme));
    await this.rests();
  }

  async size(width: number, height: number): Promise<void> {
    await this.page.setViewport({ width, height });
    await this.rests();
  }

  /** What WCAG 2.2 AA does not allow on this page; a line each. @param rules the only ones to look at */
  async violations({ rules = WCAG, within = 'html' }: { readonly rules?: readonly string[]; readonly within?: string } = {}): Promise<string[]> {
    if (await this.page.evaluate(() => !('axe' in globalThis))) await this.page.evaluate(axe);
    return this.page.evaluate(async (runOnly, context) => {
      const { axe: runner } = globalThis as unknown as { axe: { run: (context: string, options: object) => Promise<AxeResults> } };
      const { violations } = await runner.run(context, { runOnly, resultTypes: ['violations'] });
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html, any, all, none }) => `${id}: ${[...any, ...all, ...none].map(({ message }) => message).join('; ')} – ${html.slice(0, 160)}`));
    }, rules, within);
  }

  /** What one would have to scroll to the right to see: the elements that reach over the edge. */
  async overhang(): Promise<string[]> {
    return this.page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      if (scrollWidth <= clientWidth) return [];
      const wide = [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5 && element.childElementCount === 0);
      return [`${scrollWidth - clientWidth} px are cut off: ${wide.slice(0, 3).map(({ outerHTML }) => outerHTML.slice(0, 120)).join(' ')}`];
    });
  }

  /** What one would have to scroll to the right within the page. */
  async sideways(): Promise<string[]> {
    return this.page.evaluate(() => [...document.querySelectorAll('main *')].filter((element) => element.scrollWidth > element.clientWidth + 1 && ['auto', 'scroll'].includes(getComputedStyle(element).overflowX)).map(({ outerHTML }) => outerHTML.slice(0, 120)));
  }

  /** Waits until what moves has arrived. */
  private async rests(): Promise<void> {
    await this.page.evaluate(async () => {
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      await Promise.all(document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity).map(({ finished }) => finished.catch(() => undefined)));
    });
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
