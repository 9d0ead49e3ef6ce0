import type { Logger } from '@satellite/kit/telemetry';
import { isOutage } from './api-error.js';
import { isPanic, OperatorStops, Stalled, Waiting } from './errors.js';
import type { ControllerMetrics, ReconcileOutcome } from './metrics.js';
import type { Key } from './objects.js';
import { systemTimers, type Timers } from './timers.js';
import type { WorkQueue } from './workqueue.js';

export interface Result {
  /** Look again after this time although nothing changes. */
  readonly requeueAfterMs?: number;
  /** Something is due then, so it must not wait behind periodic looks at others. */
  readonly urgent?: boolean;
}

/** Makes the world fit the object of this key. Idempotent: it knows no event and may be called at any time. */
export type Reconcile = (key: Key, signal: AbortSignal) => Promise<Result>;

export interface ControllerOptions {
  readonly name: string;
  readonly queue: WorkQueue;
  readonly reconcile: Reconcile;
  readonly workers: number;
  /** One reconcile is told to stop after this time. */
  readonly timeoutMs: number;
  /** When an object whose reconcile is Stalled is looked at again; undefined = not before it changes. */
  readonly recheckMs?: (key: Key) => number | undefined;
  readonly metrics: ControllerMetrics;
  readonly logger: Logger;
  readonly timers?: Timers;
}

/** What the API server kept from being done is done soon after it is back. */
const OUTAGE_RETRY_MS = 15_000;
/** Work that is due and waits for so long although workers are free is not going to be done. */
const STARVED_MS = 120_000;

interface RunningReconcile {
  readonly startedAt: number;
  /** One for each run: combining a signal that lives as long as the process with one of each run would pile up. */
  readonly limit: AbortController;
}

/** Workers that take keys from a queue and reconcile them; what a reconcile throws decides when the key comes again. */
export class Controller {
  private readonly running = new Map<Key, RunningReconcile>();
  private readonly timers: Timers;
  private loops: Promise<void>[] = [];

  constructor(private readonly options: ControllerOptions) {
    this.timers = options.timers ?? systemTimers;
    options.metrics.maxConcurrent.set({ controller: options.name }, options.workers);
  }

  start(): void {
    this.loops = Array.from({ length: this.options.workers }, () => this.work());
  }

  /** Takes no new key, lets running reconciles finish for `graceMs`, then tells them to stop. */
  async stop(graceMs: number): Promise<void> {
    const drained = this.options.queue.drain();
    const handle = this.timers.set(() => this.cutOffAll(), graceMs);
    await drained;
    this.timers.clear(handle);
    await Promise.all(this.loops);
  }

  /** What is wrong when only a new process can help: a reconcile that heeds no limit, or keys that nobody takes. */
  unhealthy(): string | undefined {
    const { queue, workers, timeoutMs } = this.options;
    if (this.longestRunMs() > 2 * timeoutMs) return `a reconcile does not end: it has run for ${Math.round(this.longestRunMs() / 1000)} s`;
    const idle = this.loops.length > 0 && this.running.size < workers;
    return idle && queue.overdueMs() > STARVED_MS ? `no worker takes what has been due for ${Math.round(queue.overdueMs() / 1000)} s` : undefined;
  }

  /** Age of the oldest reconcile in progress. */
  longestRunMs(): number {
    return Math.max(0, ...[...this.running.values()].map(({ startedAt }) => this.timers.now() - startedAt));
  }

  private async work(): Promise<void> {
    for (let key = await this.options.queue.get(); key !== undefined; key = await this.options.queue.get()) {
      const startedAt = this.timers.now();
      const limit = new AbortController();
      this.running.set(key, { startedAt, limit });
      this.options.metrics.activeWorkers.inc({ controller: this.options.name });
      const outcome = await this.reconcileOne(key, limit);
      this.options.metrics.activeWorkers.dec({ controller: this.options.name });
      this.options.metrics.finished(outcome, (this.timers.now() - startedAt) / 1000);
      this.running.delete(key);
      this.options.queue.done(key);
    }
  }

  private async reconcileOne(key: Key, limit: AbortController): Promise<ReconcileOutcome> {
    const handle = this.timers.set(() => this.cutOff(key, limit), this.options.timeoutMs);
    try {
      const { requeueAfterMs, urgent = false } = await this.options.reconcile(key, limit.signal);
      this.options.queue.forget(key);
      if (requeueAfterMs === undefined) return 'success';
      this.options.queue.addAfter(key, requeueAfterMs, urgent ? 'high' : 'low');
      return 'requeue_after';
    } catch (error) {
      return limit.signal.reason instanceof OperatorStops ? 'requeue' : this.failed(key, error);
    } finally {
      this.timers.clear(handle);
    }
  }

  private cutOff(key: Key, limit: AbortController): void {
    this.options.metrics.timeouts.inc({ controller: this.options.name });
    this.options.logger.warn({ key, timeoutMs: this.options.timeoutMs }, 'reconcile takes too long and is told to stop');
    limit.abort(new Error(`the reconcile took longer than ${this.options.timeoutMs} ms`));
  }

  private cutOffAll(): void {
    for (const { limit } of this.running.values()) limit.abort(new OperatorStops());
  }

  private failed(key: Key, error: unknown): ReconcileOutcome {
    if (error instanceof Waiting) return this.waits(key, error);
    const { queue, metrics, logger, name } = this.options;
    metrics.errors.inc({ controller: name });
    if (error instanceof Stalled) {
      metrics.terminalErrors.inc({ controller: name });
      logger.info({ key, reason: error.reason, detail: error.message }, 'reconcile stalled: the object or its surroundings have to change');
      queue.forget(key);
      const recheckMs = this.options.recheckMs?.(key);
      if (recheckMs !== undefined) queue.addAfter(key, recheckMs);
      return 'error';
    }
    if (isPanic(error)) metrics.panics.inc({ controller: name });
    logger.error({ key, err: error, failures: queue.failuresOf(key) + 1 }, 'reconcile failed and is tried again');
    queue.addRateLimited(key, isOutage(error) ? OUTAGE_RETRY_MS : undefined);
    return 'error';
  }

  private waits(key: Key, { reason, message, retry }: Waiting): ReconcileOutcome {
    this.options.logger.info({ key, reason, detail: message }, 'reconcile waits for something outside');
    if (retry.afterMs !== undefined) this.options.queue.addAfter(key, retry.afterMs, retry.urgent ? 'high' : 'low');
    else this.options.queue.addRateLimited(key, retry.maxDelayMs);
    return 'requeue';
  }
}
