/** What a bench found: a table for people, ratios first. */
export interface Findings {
  /** First row is the head; every row has as many cells. */
  readonly table: readonly (readonly string[])[];
  /** Sentences that one needs to read the table; each becomes a list item. */
  readonly notes: readonly string[];
}

/** One file in benches/ exports one; benches.ts lists it. */
export interface Bench {
  /** As in `make bench BENCH=name`. */
  readonly name: string;
  readonly title: string;
  run(tools: BenchTools): Promise<Findings>;
}

export interface BenchTools {
  /** Tells what happens now. */
  say(text: string): void;
  /** Called in reverse order when the bench has ended, well or not. */
  atEnd(close: () => Promise<void>): void;
  /** Folder for this run's files; removed afterwards. */
  readonly folder: string;
}
