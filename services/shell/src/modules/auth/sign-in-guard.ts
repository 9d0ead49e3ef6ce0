import type { Database } from '@satellite/kit/db';
import { SignInLocked } from './auth.errors.js';

/** Wrong passwords that cost nothing but the attempt. */
const FREE_FAILURES = 5;
const FIRST_LOCK_SECONDS = 1;
const LONGEST_LOCK_SECONDS = 900;
/** A key without failures for this long starts anew. */
const FORGET_SECONDS = 3600;

/**
 * Counts failed sign-ins by person, or by name where nobody has it, in the database. The attempt is charged
 * before the password is checked, under the row's lock, so that parallel guesses cannot share one charge; a success
 * clears it. Locks grow from 1 s to 15 min.
 */
export class SignInGuard {
  constructor(private readonly db: Database) {}

  /** Charges an attempt; throws SignInLocked while the key is locked, without checking anything. */
  async attempt(key: GuardKey): Promise<void> {
    const wait = await this.db.run(async () => {
      await this.db.query('insert into sign_in_failures (key, failures, last_failure_at) values (?, 0, now()) on conflict (key) do nothing', [key]);
      const [row] = await this.db.query<{ failures: number; idle: string; wait: string | null }>(
        `select failures, extract(epoch from now() - last_failure_at) as idle, extract(epoch from locked_until - clock_timestamp()) as wait from sign_in_failures where key = ? for update`,
        [key],
      );
      if (row === undefined || Number(row.wait) > 0) return Number(row?.wait ?? 0);
      const failures = Number(row.idle) > FORGET_SECONDS ? 1 : row.failures + 1;
      const lock = failures <= FREE_FAILURES ? 0 : Math.min(LONGEST_LOCK_SECONDS, FIRST_LOCK_SECONDS * 2 ** (failures - FREE_FAILURES - 1));
      await this.db.query('update sign_in_failures set failures = ?, last_failure_at = now(), locked_until = clock_timestamp() + make_interval(secs => ?) where key = ?', [failures, lock, key]);
      return 0;
    });
    if (wait > 0) throw new SignInLocked(Math.max(1, Math.ceil(wait)));
  }

  async succeeded(key: GuardKey): Promise<void> {
    await this.db.query('delete from sign_in_failures where key = ?', [key]);
  }
}

/** What attempts are counted by. */
export type GuardKey = `${'account' | 'name' | 'change'}:${string}`;

/** Sign-ins of a known person, by whatever spelling of whichever name: the database and JavaScript fold letters differently. */
export function signInOf(userId: string): GuardKey {
  return `account:${userId}`;
}

/** Sign-ins by a name that nobody has; locked like the others, so that the lock does not tell them apart. */
export function signInOfNobody(name: string): GuardKey {
  return `name:${name.toLowerCase().replaceAll('\0', '').slice(0, 300)}`;
}

/** Guesses of the current password by who holds a token; counted apart, so that they cannot lock the person's sign-in. */
export function passwordChangeOf(userId: string): GuardKey {
  return `change:${userId}`;
}
