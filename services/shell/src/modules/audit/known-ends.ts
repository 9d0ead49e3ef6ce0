import type { ChainEnd } from './audit-seal.js';

const MAX_KNOWN = 2000;

/**
 * Where chains ended when this process last wrote to them. With a good guess an entry takes one statement instead of
 * two; a bad one is noticed by that statement, since it names the seal that it expects.
 */
export class KnownEnds {
  private readonly ends = new Map<string, ChainEnd>();

  of(id: string): ChainEnd | undefined {
    return this.ends.get(id);
  }

  /** Call it after the commit. */
  remember(end: ChainEnd): void {
    this.ends.delete(end.id);
    this.ends.set(end.id, end);
    if (this.ends.size > MAX_KNOWN) this.ends.delete(this.ends.keys().next().value ?? '');
  }
}
