import { createTask, validate, type ScheduledTask } from 'node-cron';
import { messageOf } from '../core/index.js';
import type { Database } from '../db/index.js';
import type { Logger, Registry } from '../telemetry/index.js';
import { JobNotFound } from './errors.js';
import type { Job } from './job.js';
import { JobLeases } from './job-leases.js';
import { JobMetrics } from './job-metrics.js';
import { JobRunner } from './job-runner.js';

export interface SchedulerOptions {
  /** Has the table SCHEDULED_JOBS_TABLE. */
  readonly db: Database;
  readonly metrics: Registry;
  readonly logger: Logger;
  readonly jobs: readonly Job[];
  /** How long a process that died keeps a job from the others (default 30). */
  readonly leaseSeconds?: number;
}

const LEASE_SECONDS = 30;
const NAME = /^[A-Za-z0-9._-]{1,64}$/;
/** A busy process that comes to a slot late still runs it, up to the next one. */
const LATE_MS = 3_600_000;

/**
 * Runs jobs by the clock, each slot in one of all processes that share the database, one run of a job at a time. A
 * slot that came while no process was there is made up for at the start, once.
 */
export class Scheduler {
  private readonly leases: JobLeases;
  private readonly series: JobMetrics;
  private readonly entries: ReadonlyMap<string, { readonly task: ScheduledTask; readonly runner: JobRunner }>;

  constructor(private readonly options: SchedulerOptions) {
    const { db, jobs, metrics, leaseSeconds = LEASE_SECONDS } = options;
    this.leases = new JobLeases(db, leaseSeconds);
    this.series = new JobMetrics(metrics);
    this.entries = new Map(jobs.map((job) => [job.name, this.entryOf(job, leaseSeconds)]));
    if (this.entries.size < jobs.length) throw new Error('two scheduled jobs have one name');
  }

  private entryOf(job: Job, leaseSeconds: number): { task: ScheduledTask; runner: JobRunner } {
    if (!NAME.test(job.name)) throw new Error(`"${job.name}" is no name of a job`);
    if (!validate(job.schedule)) throw new Error(`"${job.schedule}" of the job ${job.name} is no schedule`);
    const { logger } = this.options;
    const runner = new JobRunner({ job, leases: this.leases, leaseSeconds, metrics: this.series, logger });
    const quiet = { info: () => undefined, debug: () => undefined, warn: (message: string) => logger.warn({ job: job.name }, message), error: (message: string | Error) => logger.error({ job: job.name, error: messageOf(message) }, 'scheduler') };
    const task = createTask(job.schedule, ({ date }) => runner.due(date), { name: job.name, timezone: 'UTC', missedExecutionTolerance: LATE_MS, suppressMissedWarning: true, unref: true, logger: quiet });
    task.on('execution:missed', ({ date }) => runner.due(date)); // the machine slept
    return { task, runner };
  }

  /** Names of the jobs. */
  get names(): readonly string[] {
    return [...this.entries.keys()];
  }

  async start(): Promise<void> {
    for (const { task } of this.entries.values()) await task.start();
    await this.makeUp().catch((error: unknown) => this.options.logger.warn({ error: messageOf(error) }, 'it is not known which jobs were missed; they run at their next slot'));
  }

  /** A job whose last slot is longer ago than its slots lie apart was missed. */
  private async makeUp(): Promise<void> {
    for (const { name, slot, succeededAt } of await this.leases.known(this.names)) {
      this.series.announce(name, succeededAt);
      const entry = this.entries.get(name);
      const [next, afterNext] = entry?.task.getNextRuns(2) ?? [];
      if (entry === undefined || next === undefined || afterNext === undefined) continue;
      const now = Date.now();
      const missedBefore = new Date(now - (afterNext.getTime() - next.getTime()));
      if (slot < missedBefore) entry.runner.due(new Date(now), missedBefore);
    }
  }

  /** Runs a job at once, whatever its schedule; answers how many rows it changed. Throws JobNotFound, JobIsRunning, and what the job throws. */
  async run(name: string): Promise<number> {
    const entry = this.entries.get(name);
    if (entry === undefined) throw new JobNotFound(name, this.names);
    return entry.runner.now();
  }

  /** No job begins any more; those that run are asked to end and waited for. */
  async stop(): Promise<void> {
    for (const { task } of this.entries.values()) await task.destroy();
    await Promise.all([...this.entries.values()].map(({ runner }) => runner.stop()));
  }
}
