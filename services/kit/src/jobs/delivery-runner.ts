import { messageOf } from '../core/index.js';
import { Counter, type Logger, type Registry } from '../telemetry/index.js';
import type { Delivery, DeliveryTable } from './delivery-table.js';

export interface DeliveryRunnerOptions<Item extends Delivery> {
  /** For logs and metrics. */
  readonly name: string;
  readonly table: DeliveryTable<Item>;
  /** Delivers one; what it throws is written down and it is tried again. At least once: a process may die before it has written down that it is done. */
  deliver(item: Item, signal: AbortSignal): Promise<void>;
  readonly metrics: Registry;
  readonly logger: Logger;
  /** After so many attempts a person has to look at it (default 10; Infinity = never). */
  readonly maxAttempts?: number;
  /** Seconds until the next attempt after so many (default 2, 4, … at most an hour). */
  readonly backoff?: (attempts: number) => number;
  /** At the same time in this process (default 1: in order). */
  readonly parallel?: number;
  /** How often it looks for rows of which it was not told (default 5000). */
  readonly pollMs?: number;
  /** A delivery that takes longer has failed (default 30,000). */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;
/** Longer than the timeout, so that a row never goes to a second process while the first one still tries. */
const LEASE_MARGIN_SECONDS = 30;

/** Seconds until the next try: 2, 4, … at most an hour. */
export function exponentialBackoff(attempts: number): number {
  return Math.min(3600, 2 ** Math.min(attempts, 12));
}

/** Delivers the rows of a table: right after their commit, and by looking for those that are due. */
export class DeliveryRunner<Item extends Delivery> {
  private readonly outcomes: Counter<'queue' | 'outcome'>;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private again = false;
  private stopped = false;

  constructor(private readonly options: DeliveryRunnerOptions<Item>) {
    const name = 'deliveries_total';
    const known = options.metrics.getSingleMetric(name) as Counter<'queue' | 'outcome'> | undefined; // one series for all queues of a service
    this.outcomes = known ?? new Counter({ name, help: 'Attempts to deliver, by what came of them', labelNames: ['queue', 'outcome'], registers: [options.metrics] });
    for (const outcome of ['done', 'retried', 'dead']) this.outcomes.inc({ queue: options.name, outcome }, 0);
    options.table.listen(() => this.wake());
  }

  start(): void {
    this.timer = setInterval(() => this.wake(), this.options.pollMs ?? 5000).unref();
    this.wake();
  }

  /** Nothing is begun any more; what is being delivered is waited for. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.running;
  }

  wake(): void {
    void this.drain();
  }

  /** Delivers everything that is due, also what becomes so meanwhile. Never throws. */
  drain(): Promise<void> {
    this.again = true;
    this.running ??= this.rounds().finally(() => {
      this.running = undefined;
      if (this.again && !this.stopped) this.wake(); // somebody woke it while it was lying down
    });
    return this.running;
  }

  private async rounds(): Promise<void> {
    const { name, logger, parallel = 1 } = this.options;
    try {
      while (this.again && !this.stopped) {
        this.again = false;
        if ((await this.deliver(parallel)) > 0) this.again = true;
      }
    } catch (error) {
      this.again = false;
      logger.warn({ queue: name, error: messageOf(error) }, 'deliveries could not be looked after; the next look tries again');
    }
  }

  /** Tries the named row now, if it is due. Never throws. */
  async now(id: string): Promise<void> {
    await this.deliver(1, id).catch((error: unknown) => this.options.logger.warn({ queue: this.options.name, id, error: messageOf(error) }, 'a delivery could not be looked after; the next look tries again'));
  }

  private async deliver(limit: number, id?: string): Promise<number> {
    const { table, timeoutMs = TIMEOUT_MS } = this.options;
    const items = await table.claim(limit, timeoutMs / 1000 + LEASE_MARGIN_SECONDS, id);
    const ends = await Promise.allSettled(items.map((item) => this.attempt(item, timeoutMs))); // all have ended, also when one could not be written down
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    return items.length;
  }

  private async attempt(item: Item, timeoutMs: number): Promise<void> {
    const { table, name } = this.options;
    try {
      await within(timeoutMs, (signal) => this.options.deliver(item, signal));
    } catch (error) {
      return this.failed(item, error);
    }
    await table.done(item.id);
    this.outcomes.inc({ queue: name, outcome: 'done' });
  }

  private async failed({ id, attempts }: Item, cause: unknown): Promise<void> {
    const { table, name, logger, maxAttempts = 10, backoff = exponentialBackoff } = this.options;
    const dead = attempts >= maxAttempts;
    const error = messageOf(cause).replaceAll('\0', '').slice(0, 500);
    logger[dead ? 'error' : 'warn']({ queue: name, id, attempts, err: cause }, dead ? 'a delivery was given up; replay it when the cause is gone' : 'a delivery failed and is tried again');
    if (dead) await table.dead(id, error);
    else await table.retry(id, error, backoff(attempts));
    this.outcomes.inc({ queue: name, outcome: dead ? 'dead' : 'retried' });
  }
}

/** What does not answer in time has failed, even if it never looks at its signal. */
async function within(ms: number, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      late.abort();
      reject(new Error(`no answer within ${ms} ms`));
    }, ms);
  });
  try {
    await Promise.race([work(late.signal), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
