import { createHash, randomBytes } from 'node:crypto';
import { messageOf } from '@satellite/kit/core';
import type { Logger } from '@satellite/kit/telemetry';
import { microTime } from './micro-time.js';
import type { CustomResource } from './objects.js';
import { systemTimers, type TimerHandle, type Timers } from './timers.js';

/** Something worth telling whoever looks at the object. */
export interface EventNote {
  readonly type: 'Normal' | 'Warning';
  /** CamelCase cause. */
  readonly reason: string;
  /** What the operator was doing. */
  readonly action: string;
  readonly note: string;
}

export interface EventRecorder {
  record(object: CustomResource, event: EventNote): void;
  /** For the end: resolves when everything recorded so far is written or given up, which happens soon. */
  flush(): Promise<void>;
}

/** Events as log lines, where there is no API server to keep them. */
export class LogEventRecorder implements EventRecorder {
  constructor(private readonly logger: Logger) {}

  record({ metadata: { namespace, name } }: CustomResource, { type, reason, action, note }: EventNote): void {
    this.logger[type === 'Warning' ? 'warn' : 'info']({ namespace, name, reason, action }, note);
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }
}

/** An event of events.k8s.io/v1. */
export type EventObject = Readonly<Record<string, unknown>> & { readonly metadata: { readonly name: string; readonly namespace: string } };

export interface EventSink {
  create(event: EventObject): Promise<void>;
  /** Counts the event again. */
  patchSeries(namespace: string, name: string, series: { readonly count: number; readonly lastObservedTime: string }): Promise<void>;
}

interface Series {
  readonly namespace: string;
  readonly name: string;
  count: number;
  touchedAt: number;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** One object may have this many events at once, then one in five minutes: the limits of client-go's spam filter. */
const BURST = 25;
const REFILL_MS = 300_000;
/** A repeated event counts as the same series for so long. */
const SERIES_MS = 360_000;
const MEMORY_LIMIT = 4096;
/** More than so many that wait to be written are left out: an API server that is slower than we are must not cost memory. */
const BACKLOG_LIMIT = 1000;
/** Whoever stops does not wait for longer. */
const FLUSH_LIMIT_MS = 2000;

export interface KubernetesEventRecorderOptions {
  readonly sink: EventSink;
  readonly controller: string;
  readonly instance: string;
  readonly logger: Logger;
  readonly timers?: Timers;
  readonly now?: () => number;
}

/** Events written to the API server: repeated ones are counted instead of written again, floods are cut off. Never fails a reconcile. */
export class KubernetesEventRecorder implements EventRecorder {
  private readonly series = new Map<string, Series>();
  private readonly buckets = new Map<string, Bucket>();
  private readonly timers: Timers;
  private writes: Promise<void> = Promise.resolve();
  private waiting = 0;
  /** Events left out since the log last said so. */
  private leftOut = 0;
  private givenUp = false;

  constructor(private readonly options: KubernetesEventRecorderOptions) {
    this.timers = options.timers ?? systemTimers;
  }

  record(object: CustomResource, event: EventNote): void {
    const { uid, generation } = object.metadata;
    if (this.waiting >= BACKLOG_LIMIT) return void (this.leftOut += 1);
    if (!this.takeToken(uid)) return;
    const id = createHash('sha256').update(JSON.stringify([uid, generation, event])).digest('hex');
    const known = this.series.get(id);
    const time = microTime(this.options.now?.() ?? Date.now());
    if (known && this.timers.now() - known.touchedAt < SERIES_MS) {
      known.count += 1;
      known.touchedAt = this.timers.now();
      const { namespace, name, count } = known;
      return this.write(() => this.options.sink.patchSeries(namespace, name, { count, lastObservedTime: time }));
    }
    const body = this.eventObject(object, event, time);
    remember(this.series, id, { ...body.metadata, count: 1, touchedAt: this.timers.now() });
    this.write(() => this.options.sink.create(body));
  }

  async flush(): Promise<void> {
    let limit: TimerHandle;
    const late = new Promise<void>((resolve) => (limit = this.timers.set(resolve, FLUSH_LIMIT_MS)));
    await Promise.race([this.writes, late]).finally(() => this.timers.clear(limit));
    this.givenUp = this.waiting > 0;
    if (this.givenUp) this.options.logger.warn({ events: this.waiting }, 'stopping: events that wait to be written are left out');
  }

  private eventObject({ apiVersion, kind, metadata }: CustomResource, { type, reason, action, note }: EventNote, eventTime: string): EventObject {
    const { name, namespace, uid, resourceVersion } = metadata;
    return {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: `${name.slice(0, 200)}.${randomBytes(8).toString('hex')}`, namespace },
      eventTime,
      type,
      reason,
      action,
      note: note.slice(0, 1024),
      regarding: { apiVersion, kind, name, namespace, uid, resourceVersion },
      reportingController: this.options.controller,
      reportingInstance: this.options.instance.slice(0, 128),
    };
  }

  /** Events keep their order; a failing write is logged and forgotten. */
  private write(send: () => Promise<void>): void {
    this.waiting += 1;
    const sent = this.writes.then(() => (this.givenUp ? undefined : send()));
    this.writes = sent.catch((error: unknown) => this.options.logger.warn({ detail: messageOf(error) }, 'an event could not be written')).finally(() => this.wrote());
  }

  private wrote(): void {
    this.waiting -= 1;
    if (this.leftOut === 0 || this.waiting > BACKLOG_LIMIT / 2) return;
    this.options.logger.warn({ events: this.leftOut }, 'events were left out: the API server writes them slower than they come');
    this.leftOut = 0;
  }

  private takeToken(uid: string): boolean {
    const now = this.timers.now();
    const bucket = this.buckets.get(uid) ?? { tokens: BURST, filledAt: now };
    const tokens = Math.min(BURST, bucket.tokens + (now - bucket.filledAt) / REFILL_MS);
    remember(this.buckets, uid, { tokens: tokens >= 1 ? tokens - 1 : tokens, filledAt: now });
    return tokens >= 1;
  }
}

/** Keeps the newest entries only. */
function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MEMORY_LIMIT && oldest !== undefined) map.delete(oldest);
}
