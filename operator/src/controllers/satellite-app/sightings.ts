import type { Key } from '../../runtime/objects.js';

/** One look at a front-end. */
export interface Look {
  /** Digest of what it serves now. */
  readonly served: string;
  /** Digest that it is known by; undefined before the first look. */
  readonly known: string | undefined;
  /** The object has changed since, or the last look failed: another front-end is no surprise. */
  readonly isExpected: boolean;
  /** The last look, maybe by another process, found that it was another one with every look. */
  readonly wasRestless: boolean;
}

/** What follows from a look. */
export interface Sighting {
  /** Digest that it is known by from now on. */
  readonly digest: string;
  /** It is another one with every look. */
  readonly isRestless: boolean;
}

/**
 * Front-ends that were found to be other ones although their object is the same. What two looks in a row find is a new
 * front-end; what the next look does not find again is none, or something that is made anew for every request.
 */
export class Sightings {
  /** Digest that the last look found for the first time. Kept by the process: a new one looks twice again. */
  private readonly unconfirmed = new Map<Key, string>();

  look(key: Key, { served, known, isExpected, wasRestless }: Look): Sighting {
    const last = this.unconfirmed.get(key);
    if (known === undefined || isExpected || served === known || served === last) {
      this.unconfirmed.delete(key);
      return { digest: served, isRestless: false };
    }
    this.unconfirmed.set(key, served);
    return { digest: known, isRestless: wasRestless || last !== undefined };
  }

  /** The object is gone. */
  forget(key: Key): void {
    this.unconfirmed.delete(key);
  }
}
