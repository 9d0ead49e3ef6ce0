import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { SatelliteAppSpec, SatelliteAppStatus } from '../../src/controllers/satellite-app/satellite-app.js';

/** A status document as people read it beside a manifest. */
export interface StatusDocument {
  readonly metadata?: { readonly name: string; readonly namespace: string; readonly uid?: string; readonly generation: number };
  readonly status: SatelliteAppStatus;
}

/** A real folder of manifests. */
export class ManifestFolder {
  private constructor(readonly path: string) {}

  static async create(): Promise<ManifestFolder> {
    return new ManifestFolder(await mkdtemp(join(tmpdir(), 'satellite-manifests-')));
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }

  write(file: string, text: string): Promise<void> {
    return writeFile(join(this.path, file), text);
  }

  delete(file: string): Promise<void> {
    return rm(join(this.path, file));
  }

  /** The documents of a manifest's status file; none when there is no such file. */
  async statuses(file: string): Promise<StatusDocument[]> {
    const text = await readFile(join(this.path, `${file}.status.yaml`), 'utf8').catch(() => '');
    return parseAllDocuments(text).map((document) => document.toJS() as StatusDocument);
  }
}

/** Text of a manifest. */
export function manifest(name: string, spec: Partial<Omit<SatelliteAppSpec, 'organizations'>> & Record<string, unknown>, metadata: Record<string, unknown> = {}): string {
  const whole = { apiVersion: 'platform.satellite.io/v1alpha1', kind: 'SatelliteApp', metadata: { name, ...metadata }, spec: { slug: name, name: `App ${name}`, type: 'satellite', ...spec } };
  return JSON.stringify(whole, null, 2);
}

/** The condition of this type, if any. */
export function conditionOf(document: StatusDocument | undefined, type: string) {
  return document?.status?.conditions?.find((condition) => condition.type === type);
}
