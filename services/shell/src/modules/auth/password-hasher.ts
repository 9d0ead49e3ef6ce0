import bcrypt from 'bcrypt';
import { TooManySignIns } from './auth.errors.js';

/** bcrypt reads no further; a longer password would be cut silently. */
export const MAX_PASSWORD_BYTES = 72;

export interface PasswordHasherOptions {
  /** log2 of the rounds (12: about 240 ms on one core). */
  readonly cost: number;
  /** Hashes that run at once; each takes a thread of the pool that DNS and files use too. */
  readonly concurrency: number;
  /** Hashes that may wait; more are refused, since their clients would be gone when their turn comes. */
  readonly queue: number;
}

/** bcrypt off the event loop, bounded, so that a flood of sign-ins cannot take the process with it. */
export class PasswordHasher {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  private decoy: Promise<string> | undefined;

  constructor(private readonly options: PasswordHasherOptions) {}

  hash(password: string): Promise<string> {
    return this.bounded(() => bcrypt.hash(password, this.options.cost));
  }

  /** Compares; without a hash it does the same work against a decoy, so that time does not tell who exists. */
  async verify(password: string, hash: string | null | undefined): Promise<boolean> {
    this.decoy ??= bcrypt.hash('no account has this password', this.options.cost);
    const against = hash ?? (await this.decoy);
    const tooLong = Buffer.byteLength(password) > MAX_PASSWORD_BYTES;
    const equal = await this.bounded(() => bcrypt.compare(tooLong ? '' : password, against));
    return equal && hash != null && !tooLong;
  }

  /** True when a hash was made with other rounds than are configured now. */
  isOutdated(hash: string): boolean {
    return bcrypt.getRounds(hash) !== this.options.cost;
  }

  private async bounded<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.options.concurrency) {
      if (this.waiting.length >= this.options.queue) throw new TooManySignIns();
      await new Promise<void>((resolve) => this.waiting.push(resolve)); // the slot is handed over, not freed
    } else {
      this.running += 1;
    }
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}
