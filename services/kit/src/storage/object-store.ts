import type { Readable } from 'node:stream';

/** An object as a store knows it. */
export interface ObjectInfo {
  readonly key: string;
  readonly size: number;
  readonly modifiedAt: Date;
}

/** What a store has made of a stream. */
export interface StoredObject {
  readonly key: string;
  readonly size: number;
  /** SHA-256 of the bytes, in hex. */
  readonly checksum: string;
}

/** Bytes `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** How a browser shall take what it fetches from the store itself. */
export interface DirectUrlOptions {
  readonly seconds: number;
  readonly contentType: string;
  readonly contentDisposition: string;
}

/**
 * Where bytes are. Keys are made by us: lower-case letters, digits, `-` and `/`; never a name that somebody chose. An
 * object is written once and whole, and is not visible before.
 */
export interface ObjectStore {
  /**
   * Stores a stream under a new key; resolves when the bytes would survive a power cut. When the stream fails, is
   * longer than `maxBytes` (ObjectTooLarge), or the signal aborts, nothing is left. Throws the AppError that the stream
   * failed with, an AbortError, or StoreFailed for everything else.
   */
  put(key: string, content: Readable, options: { readonly maxBytes: number; readonly signal?: AbortSignal }): Promise<StoredObject>;
  /** The bytes, or a part of them. The stream is open when this resolves. Throws ObjectMissing or StoreFailed. */
  get(key: string, range?: ByteRange): Promise<Readable>;
  stat(key: string): Promise<ObjectInfo | undefined>;
  /** Removes objects; those that are not there are fine. Throws StoreFailed when one cannot be removed. */
  remove(keys: readonly string[]): Promise<void>;
  /** Removes whatever is there of an upload that its process did not live to end. */
  abandon(key: string): Promise<void>;
  /** Every object, in no particular order, in bounded memory. */
  list(): AsyncIterable<ObjectInfo>;
  /** Removes what uploads have left that were begun before and never ended; answers how many. */
  sweep(before: Date): Promise<number>;
  /** An address at which anybody can fetch the object for a while; undefined where the store has none. */
  directUrl(key: string, options: DirectUrlOptions): Promise<string | undefined>;
  /** True when the store answers. */
  isUp(): Promise<boolean>;
}
