import type { Key } from '../../runtime/objects.js';

/** Which object came from which file. */
export class FileIndex {
  private readonly files = new Map<Key, string>();
  private readonly keys = new Map<string, Set<Key>>();

  fileOf(key: Key): string | undefined {
    return this.files.get(key);
  }

  keysOf(file: string): readonly Key[] {
    return [...(this.keys.get(file) ?? [])];
  }

  set(key: Key, file: string): void {
    this.delete(key);
    this.files.set(key, file);
    this.keys.set(file, (this.keys.get(file) ?? new Set<Key>()).add(key));
  }

  delete(key: Key): void {
    const file = this.files.get(key);
    if (file === undefined) return;
    this.files.delete(key);
    const keys = this.keys.get(file);
    keys?.delete(key);
    if (keys?.size === 0) this.keys.delete(file);
  }
}
