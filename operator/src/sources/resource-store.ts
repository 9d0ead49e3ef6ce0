import type { ObjectWriter } from '../runtime/apply.js';
import type { EventRecorder } from '../runtime/events.js';
import type { CustomResource, Key } from '../runtime/objects.js';
import type { ChangeListener } from '../runtime/store.js';

/** Where objects come from and where their status goes; reconcilers know nothing else of it. */
export interface ResourceStore<T extends CustomResource> extends ObjectWriter<T> {
  readonly events: EventRecorder;
  /** Begins to mirror the objects; reading is meaningful once hasSynced(). */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Every object that exists has been seen once. */
  hasSynced(): boolean;
  /** Resolves when hasSynced() becomes true, or when the store is stopped. */
  untilSynced(): Promise<void>;
  /** Time since the source last gave a sign of life. */
  silentMs(): number;
  /** What is wrong when only a new process can help; undefined while this one goes on by itself. */
  unhealthy(): string | undefined;
  get(key: Key): T | undefined;
  /** The object as the source itself has it, past the mirror; undefined only when it says that there is none. Throws when it cannot say. */
  read(key: Key): Promise<T | undefined>;
  /**
   * Keys of objects that there were a moment ago, when the mirror is of a part of them only; none when it is of all.
   * Throws when the source cannot say.
   */
  others(): Promise<ReadonlySet<Key>>;
  list(): readonly T[];
  /** Objects with this value of the store's index. */
  inIndex(value: string): readonly T[];
  subscribe(listener: ChangeListener<T>): () => void;
}
