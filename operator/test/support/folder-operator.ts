import { startDirectoryOperator } from '../../src/index.js';
import { conditionOf, ManifestFolder, manifest } from './folder.js';
import { RegistryDouble } from './registry-double.js';
import { SatelliteServer } from './satellite-server.js';
import { silentLogger } from './silent-logger.js';
import { until } from './until.js';

/** For each test of a file: an empty folder, a registry, a satellite, and an operator to start on them. */
export class FolderOperator {
  private running: { stop(): Promise<void> } | undefined;

  private constructor(
    readonly folder: ManifestFolder,
    readonly registry: RegistryDouble,
    readonly satellite: SatelliteServer,
    readonly shellUrl: string,
  ) {}

  static async open(): Promise<FolderOperator> {
    const registry = new RegistryDouble();
    return new FolderOperator(await ManifestFolder.create(), registry, await new SatelliteServer().listen(), await registry.listen());
  }

  async close(): Promise<void> {
    await this.stop();
    await Promise.all([this.registry.close(), this.satellite.close()]);
    await this.folder.remove();
  }

  async start(over: { readonly installation?: string; readonly sweepMs?: number } = {}): Promise<void> {
    this.running = await startDirectoryOperator({ directory: this.folder.path, shellUrl: this.shellUrl, clientId: 'operator', clientSecret: 'secret', platformUrl: 'http://platform.test', outboundAllow: [this.satellite.host], logger: silentLogger, recheckMs: 100, ...over });
  }

  async stop(): Promise<void> {
    await this.running?.stop();
    this.running = undefined;
  }

  async restart(meanwhile: () => Promise<void>): Promise<void> {
    await this.stop();
    await meanwhile();
    await this.start();
  }

  /** A manifest of an app that the satellite answers for. */
  app(name: string, spec: Record<string, unknown> = {}): string {
    return manifest(name, { apiUrl: this.satellite.apiUrl, uiUrl: this.satellite.uiUrl, ...spec });
  }

  ready(file: string) {
    return until(() => this.folder.statuses(file), ([document]) => conditionOf(document, 'Ready')?.status === 'True', { what: `${file} Ready` });
  }

  because(file: string, reason: string) {
    return until(() => this.folder.statuses(file), ([document]) => conditionOf(document, 'Ready')?.reason === reason, { what: `${file} ${reason}` });
  }
}
