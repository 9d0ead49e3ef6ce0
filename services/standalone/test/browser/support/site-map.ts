import type { Tab } from './tab.js';

const ID = /[0-9a-f]{8}-[0-9a-f-]{27}/;

/**
 * Every page that one gets to from here, by what the pages themselves offer: the entries of the palette, then links and
 * tabs, from page to page. So a new page is visited without anybody adding it to a list.
 */
export class SiteMap {
  readonly visited: string[] = [];
  private readonly due: string[] = [];
  private readonly known = new Set<string>();

  constructor(
    private readonly tab: Tab,
    private readonly visit: (path: string) => Promise<void>,
  ) {}

  /** Adds addresses; of many pages of a kind, such as those of single apps, one is enough. */
  add(...paths: readonly string[]): void {
    this.due.push(...paths.filter((path) => this.isNew(path)));
  }

  /** Chooses each entry of the palette. */
  async walkPalette(): Promise<void> {
    for (let index = 0, count = 1; index < count; index++) {
      count = await this.tab.opensPalette();
      await this.tab.choosesFromPalette(index);
      if (this.isNew(this.tab.path())) await this.arrive(this.tab.path());
    }
  }

  /** Follows what the pages lead to, until nothing is left. */
  async walkLinks(): Promise<void> {
    for (let path = this.due.shift(); path !== undefined; path = this.due.shift()) {
      await this.tab.goes(path);
      await this.arrive(path);
    }
  }

  private async arrive(path: string): Promise<void> {
    await this.tab.settles();
    await this.visit(path);
    this.visited.push(path);
    this.add(...(await this.tab.links()));
    for (const other of await this.tab.page.$$('[role="tab"][aria-selected="false"]')) {
      await other.click();
      this.add(this.tab.path());
    }
  }

  private isNew(path: string): boolean {
    const kind = path.replace(ID, ':id');
    if (this.known.has(kind)) return false;
    this.known.add(kind);
    return true;
  }
}
