import { setTimeout as delay } from 'node:timers/promises';
import { performance } from 'node:perf_hooks';
import { messageOf } from '../core/index.js';
import type { Logger } from '../telemetry/index.js';
import { JobIsRunning } from './errors.js';
import type { Job } from './job.js';
import type { JobLeases } from './job-leases.js';
import type { JobMetrics } from './job-metrics.js';

/** A lease is renewed this often while it lasts. */
const RENEWALS = 3;

export interface JobRunnerDeps {
  readonly job: Job;
  readonly leases: JobLeases;
  readonly leaseSeconds: number;
  readonly metrics: JobMetrics;
  readonly logger: Logger;
}

/** A slot, and the slot from which on the job must not have been run. */
interface Wish {
  readonly slot: Date;
  readonly before: Date;
}

/** One job in one process: one run at a time, and of the slots that came meanwhile the last. */
export class JobRunner {
  private wish: Wish | undefined;
  private scheduled: Promise<void> | undefined;
  private readonly running = new Set<Promise<unknown>>();
  private readonly stopping = new AbortController();

  constructor(private readonly deps: JobRunnerDeps) {}

  /** The slot has come. */
  due(slot: Date, before: Date = slot): void {
    if (this.stopping.signal.aborted) return;
    if (this.wish === undefined || slot > this.wish.slot) this.wish = { slot, before };
    this.scheduled ??= this.work().finally(() => (this.scheduled = undefined));
  }

  private async work(): Promise<void> {
    for (let wish = this.wish; wish !== undefined && !this.stopping.signal.aborted; wish = this.wish) {
      this.wish = undefined;
      await this.attempt(wish).catch((error: unknown) => {
        if (!this.stopping.signal.aborted) this.deps.logger.warn({ job: this.deps.job.name, error: messageOf(error) }, 'a scheduled job did not end well; its next slot tries again');
      });
    }
  }

  /** A run that has not ended is waited for as long as its lease: when its process has died, the slot is run late, not lost. */
  private async attempt({ slot, before }: Wish): Promise<void> {
    const { job, leases, logger } = this.deps;
    let claim = await leases.claimSlot(job.name, slot, before);
    if (claim.outcome === 'busy') {
      await delay(claim.leftMs + 1, undefined, { ref: false, signal: this.stopping.signal });
      claim = await leases.claimSlot(job.name, slot, before);
    }
    if (claim.outcome === 'mine') await this.tracked(this.execute(claim.runId, slot));
    else if (claim.outcome === 'busy') logger.warn({ job: job.name, slot: slot.toISOString() }, 'the run before has not ended; this slot is skipped');
  }

  /** Runs the job whatever its schedule says; throws JobIsRunning, and what the job throws. */
  async now(): Promise<number> {
    if (this.stopping.signal.aborted) throw new Error('the scheduler has stopped');
    const runId = await this.deps.leases.claimNow(this.deps.job.name);
    if (runId === undefined) throw new JobIsRunning(this.deps.job.name);
    return this.tracked(this.execute(runId, new Date()));
  }

  /** Asks runs to end and waits for them. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.scheduled;
    await Promise.allSettled(this.running);
  }

  private tracked<T>(run: Promise<T>): Promise<T> {
    this.running.add(run);
    return run.finally(() => this.running.delete(run));
  }

  private async execute(runId: string, slot: Date): Promise<number> {
    const { job, metrics, logger } = this.deps;
    const began = performance.now();
    const seconds = (): number => (performance.now() - began) / 1000;
    const lease = this.holding(runId);
    try {
      const rows = await job.run({ slot, signal: AbortSignal.any([this.stopping.signal, lease.lost]) });
      metrics.succeeded(job.name, rows, seconds());
      logger[rows > 0 ? 'info' : 'debug']({ job: job.name, rows, seconds: seconds() }, 'a scheduled job ended');
      await this.finish(runId, null);
      return rows;
    } catch (error) {
      metrics.failed(job.name, seconds());
      await this.finish(runId, messageOf(error).slice(0, 500));
      throw error;
    } finally {
      lease.end();
    }
  }

  /** A database that is away is no reason to call a finished run failed: the lease ends by itself. */
  private async finish(runId: string, error: string | null): Promise<void> {
    const { job, leases, logger } = this.deps;
    await leases.finish(job.name, runId, error).catch((cause: unknown) => logger.warn({ job: job.name, error: messageOf(cause) }, 'the end of a scheduled job could not be written down'));
  }

  /** Renews the lease until it is ended; `lost` aborts when another process may have the job. */
  private holding(runId: string): { readonly lost: AbortSignal; end(): void } {
    const { job, leases, leaseSeconds, logger } = this.deps;
    const lost = new AbortController();
    let renewedAt = performance.now();
    const renew = async (): Promise<void> => {
      const asked = performance.now();
      try {
        if (await leases.renew(job.name, runId)) renewedAt = asked;
        else lost.abort(new Error('another process has taken over the job'));
      } catch (error) {
        logger.warn({ job: job.name, error: messageOf(error) }, 'the lease of a scheduled job could not be renewed');
        if (performance.now() - renewedAt > leaseSeconds * 1000) lost.abort(error);
      }
    };
    const timer = setInterval(() => void renew(), (leaseSeconds * 1000) / RENEWALS).unref();
    return { lost: lost.signal, end: () => clearInterval(timer) };
  }
}
