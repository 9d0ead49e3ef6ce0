import { RegistryDouble } from '../../support/registry-double.js';

/** What cluster tests need of the Shell: its address, what the registry holds, and the power to take it down. */
export interface TestPlatform {
  /** Origin of the Shell. */
  readonly shellUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Entry of this slug; undefined when there is none. */
  entry(slug: string): Promise<PlatformEntry | undefined>;
  /** Slugs of all entries. */
  slugs(): Promise<string[]>;
  /** Number of registry writes so far that changed something. */
  writes(): Promise<number>;
  /** The Shell stops answering, and answers again at the same address with the same data. */
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

export interface PlatformEntry {
  readonly name: string;
  readonly managedBy: string;
  readonly sourceName: string;
}

/** The one place from which cluster tests take the Shell. */
export async function startPlatform(): Promise<TestPlatform> {
  return DoublePlatform.start();
}

class DoublePlatform implements TestPlatform {
  readonly clientId = 'operator';
  readonly clientSecret = 'secret';

  private constructor(
    private readonly registry: RegistryDouble,
    readonly shellUrl: string,
  ) {}

  static async start(): Promise<DoublePlatform> {
    const registry = new RegistryDouble();
    return new DoublePlatform(registry, await registry.listen());
  }

  entry(slug: string): Promise<PlatformEntry | undefined> {
    const entry = this.registry.entries.get(slug);
    return Promise.resolve(entry && { name: entry.app?.name ?? '', managedBy: entry.managedBy, sourceName: entry.source ? `${entry.source.namespace}/${entry.source.name}` : '' });
  }

  slugs(): Promise<string[]> {
    return Promise.resolve([...this.registry.entries.keys()].sort());
  }

  writes(): Promise<number> {
    return Promise.resolve(this.registry.writes);
  }

  goDown(): Promise<void> {
    return this.registry.close();
  }

  async comeBack(): Promise<void> {
    await this.registry.listen(Number(new URL(this.shellUrl).port));
  }

  close(): Promise<void> {
    return this.registry.close();
  }
}
