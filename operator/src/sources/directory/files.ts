import { randomBytes } from 'node:crypto';
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemTimers, type Timers } from '../../runtime/timers.js';

export const STATUS_SUFFIX = '.status.yaml';
const MANIFEST = /^[^.].*\.(yaml|yml|json)$/;

/** True for a file that may hold manifests: not hidden, not one of our status files. */
export function isManifestFile(name: string): boolean {
  return MANIFEST.test(name) && !name.endsWith(STATUS_SUFFIX);
}

/** Replaces a file in one step, so that no reader ever sees half of it. */
export async function writeAtomically(file: string, text: string): Promise<void> {
  const temporary = join(dirname(file), `.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeFile(temporary, text, { mode: 0o644 });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** A file as the folder shows it at one moment. */
interface Sighting {
  readonly signature: string;
  /** When this very signature was first seen, on the monotonic clock. */
  readonly since: number;
}

export interface FolderView {
  /** Files whose content can be read now, with a signature that changes with the content. */
  readonly settled: ReadonlyMap<string, string>;
  /** Files that are still being written. */
  readonly unsettled: ReadonlySet<string>;
}

/** A file must have kept size and time for so long before it is read: writers write in pieces. */
export const SETTLE_MS = 60;

/** Looks at a folder again and again, and says which manifests are complete. */
export class FolderLens {
  private sightings = new Map<string, Sighting>();

  constructor(
    private readonly folder: string,
    private readonly timers: Timers = systemTimers,
  ) {}

  async look(): Promise<FolderView> {
    const names = (await readdir(this.folder)).filter(isManifestFile).sort();
    const seen = new Map<string, Sighting>();
    const settled = new Map<string, string>();
    const unsettled = new Set<string>();
    const facts = await Promise.all(names.map((name) => stat(join(this.folder, name)).catch(() => undefined)));
    for (const [index, name] of names.entries()) {
      const file = facts[index];
      if (!file?.isFile()) continue;
      const sighting = this.sightingOf(name, `${file.ino}:${file.size}:${file.mtimeMs}:${file.ctimeMs}`);
      seen.set(name, sighting);
      const age = Math.max(this.timers.now() - sighting.since, Date.now() - file.ctimeMs);
      if (age >= SETTLE_MS) settled.set(name, sighting.signature);
      else unsettled.add(name);
    }
    this.sightings = seen;
    return { settled, unsettled };
  }

  private sightingOf(name: string, signature: string): Sighting {
    const known = this.sightings.get(name);
    return known?.signature === signature ? known : { signature, since: this.timers.now() };
  }
}
