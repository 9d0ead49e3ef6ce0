import { messageOf } from '@satellite/kit/core';

/** Things to stop, in the reverse of the order in which they were started. */
export class Closers {
  private readonly stack: { readonly name: string; readonly quiet: boolean; readonly close: (force: boolean) => Promise<void> }[] = [];

  /** @param onProblem told of what could not be stopped; the rest is stopped all the same */
  constructor(private readonly onProblem: (message: string) => void) {}

  add(name: string, close: (force: boolean) => Promise<void>): void {
    this.stack.push({ name, quiet: false, close });
  }

  /** Something too small to tell anybody about. */
  addQuietly(name: string, close: (force: boolean) => Promise<void>): void {
    this.stack.push({ name, quiet: true, close });
  }

  /**
   * Stops everything once; a part that hangs is given up after its time, so that the next one has its chance.
   * Force asks every part that is left to end at once.
   */
  async closeAll(options: { readonly onClose?: (name: string) => void; readonly patienceMs?: number; readonly force?: boolean } = {}): Promise<void> {
    const { onClose, patienceMs = 8_000, force = false } = options;
    for (let part = this.stack.pop(); part; part = this.stack.pop()) {
      if (!part.quiet) onClose?.(part.name);
      const { name } = part;
      await within(patienceMs, part.close(force)).catch((error: unknown) => this.onProblem(`${name}: ${messageOf(error)}`));
    }
  }
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`did not stop within ${ms / 1000} s`)), ms);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
