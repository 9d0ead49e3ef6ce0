/** Where the person at the terminal reads what happens. */
export interface Output {
  write(text: string): unknown;
}

/** Tells what begins and how long it took: one line a step, the same in a terminal, a pipe and a CI log. */
export class Progress {
  private openSince: number | undefined;
  private readonly began = performance.now();

  constructor(private readonly output: Output) {}

  /** Ends the step before, if any, and begins this one. */
  step(title: string): void {
    this.end();
    this.output.write(`  ${`${title} `.padEnd(58, '.')} `);
    this.openSince = performance.now();
  }

  /** Ends the step that is running. */
  end(remark?: string): void {
    if (this.openSince === undefined) return;
    this.output.write(`${remark ?? seconds(performance.now() - this.openSince)}\n`);
    this.openSince = undefined;
  }

  /** A paragraph of its own. */
  say(text: string): void {
    this.end();
    this.output.write(`${text}\n`);
  }

  /** Time since the start of all steps. */
  total(): string {
    return seconds(performance.now() - this.began);
  }
}

function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
