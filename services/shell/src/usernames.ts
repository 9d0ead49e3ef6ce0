import { randomBytes } from 'node:crypto';
import type { Database } from '@satellite/kit/db';

const MAX_BASE = 50;

/** User names for people who have not chosen one. */
export class Usernames {
  constructor(private readonly db: Database) {}

  /** A free name as close to the wish as may be. The unique index decides when two take one at once. */
  async like(wish: string): Promise<string> {
    const letters = wish.replace(/[^A-Za-z0-9._-]/g, '').replace(/^[^A-Za-z0-9]+/, '').slice(0, MAX_BASE);
    const base = (letters || 'user').padEnd(3, '0');
    const taken = await this.db.query('select from users where lower(username) = lower(?)', [base]);
    return taken.length > 0 ? `${base}-${randomBytes(4).toString('hex')}` : base;
  }
}
