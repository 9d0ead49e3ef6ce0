/** What a run of a job is told. */
export interface JobContext {
  /** The moment for which it runs. */
  readonly slot: Date;
  /** Aborts when the process stops or has lost the job to another one; long jobs look at it between their steps. */
  readonly signal: AbortSignal;
}

/** Something that happens again and again. */
export interface Job {
  /** Unique in the service; letters, digits, `.`, `_` and `-`. */
  readonly name: string;
  /** Cron expression with five fields, or six with seconds; UTC. */
  readonly schedule: string;
  /** Answers how many rows it removed or changed. Whatever it has done before it throws may be done again. */
  run(context: JobContext): Promise<number>;
}
