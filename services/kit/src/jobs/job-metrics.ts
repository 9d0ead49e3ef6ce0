import { Counter, Gauge, Histogram, type Registry } from '../telemetry/index.js';

/** What happened to jobs in this process; the last success is the database's word at the start, then our own. */
export class JobMetrics {
  private readonly runs: Counter<'job'>;
  private readonly failures: Counter<'job'>;
  private readonly rows: Counter<'job'>;
  private readonly seconds: Histogram<'job'>;
  private readonly lastSuccess: Gauge<'job'>;

  constructor(registry: Registry) {
    const common = { labelNames: ['job'] as const, registers: [registry] };
    this.runs = new Counter({ name: 'job_runs_total', help: 'Runs of scheduled jobs in this process', ...common });
    this.failures = new Counter({ name: 'job_failures_total', help: 'Runs that ended with an error', ...common });
    this.rows = new Counter({ name: 'job_rows_total', help: 'Rows that scheduled jobs removed or changed', ...common });
    this.seconds = new Histogram({ name: 'job_duration_seconds', help: 'Time of one run', buckets: [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 1800], ...common });
    this.lastSuccess = new Gauge({ name: 'job_last_success_timestamp_seconds', help: 'When the job ended well for the last time, as far as this process knows', ...common });
  }

  /** Makes the series of a job visible before its first run. */
  announce(job: string, lastSuccess: Date | null): void {
    for (const counter of [this.runs, this.failures, this.rows]) counter.inc({ job }, 0);
    if (lastSuccess !== null) this.lastSuccess.set({ job }, lastSuccess.getTime() / 1000);
  }

  succeeded(job: string, rows: number, seconds: number): void {
    this.ran(job, seconds);
    this.rows.inc({ job }, rows);
    this.lastSuccess.set({ job }, Date.now() / 1000);
  }

  failed(job: string, seconds: number): void {
    this.ran(job, seconds);
    this.failures.inc({ job });
  }

  private ran(job: string, seconds: number): void {
    this.runs.inc({ job });
    this.seconds.observe({ job }, seconds);
  }
}
