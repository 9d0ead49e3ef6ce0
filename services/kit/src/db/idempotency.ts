import { createHash } from 'node:crypto';
import { AppError, canonicalJson } from '../core/index.js';
import type { Database } from './database.js';

/** The table behind IdempotencyStore; a service's migration creates it. Rows past `expires_at` mean nothing any more. */
export const IDEMPOTENCY_TABLE = `
  create table idempotency_keys (
    organization_id uuid not null,
    actor_id varchar(64) not null,
    key varchar(200) not null,
    fingerprint char(64) not null,
    answer jsonb not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    primary key (organization_id, actor_id, key)
  )`;

/** What housekeeping may remove of it. */
export const IDEMPOTENCY_SWEEP = { table: 'idempotency_keys', where: 'expires_at <= now()' } as const;

/** How long an answer is kept. */
const KEPT_HOURS = 24;
const KEY = /^[\x21-\x7e]{1,200}$/;

export class InvalidIdempotencyKey extends AppError {
  readonly kind = 'invalid';
  readonly code = 'request.invalid_idempotency_key';
  constructor() {
    super('Idempotency-Key must be 1 to 200 visible ASCII characters; take a random UUID for each new operation.');
  }
}

/** The key was used for something else. */
export class IdempotencyKeyReused extends AppError {
  readonly kind = 'unprocessable';
  readonly code = 'request.idempotency_key_reused';
  constructor() {
    super('This Idempotency-Key belongs to another request. Take a new one.');
  }
}

export class RequestInFlight extends AppError {
  readonly kind = 'conflict';
  readonly code = 'request.in_flight';
  constructor() {
    super('A request with this Idempotency-Key is being processed. Repeat it in a moment.');
  }
}

/** A write that a client may repeat. */
export interface RepeatableRequest {
  readonly organizationId: string;
  /** Who asks: keys of one caller mean nothing to another. */
  readonly actorId: string;
  /** The header as it came. */
  readonly key: string;
  /** What is asked for; with the body it must be the same when the key is the same. */
  readonly operation: string;
  readonly body: unknown;
}

type RequestKey = Pick<RepeatableRequest, 'organizationId' | 'actorId' | 'key'>;

export interface OnceOnly<Answer> {
  readonly answer: Answer;
  /** The answer is that of an earlier request. */
  readonly replayed: boolean;
}

/**
 * Does a write once per Idempotency-Key. The answer is stored in the transaction of the write: either both are there
 * or neither is, so a request that failed may simply be repeated.
 */
export class IdempotencyStore {
  constructor(private readonly db: Database) {}

  /** Runs `work` in a transaction unless the key has an answer. Throws InvalidIdempotencyKey, IdempotencyKeyReused or RequestInFlight. */
  once<Answer extends object>(request: RepeatableRequest, work: () => Promise<Answer>): Promise<OnceOnly<Answer>> {
    const fingerprint = fingerprintOf(request);
    return this.db.run(async () => {
      await this.lock(request);
      const known = await this.known<Answer>(request);
      if (known !== undefined && known.fingerprint !== fingerprint) throw new IdempotencyKeyReused();
      if (known !== undefined) return { answer: known.answer, replayed: true };
      const answer = await work();
      await this.store(request, fingerprint, answer);
      return { answer, replayed: false };
    });
  }

  /**
   * Takes a request back by `undo`, which is given its answer, in one transaction. Nothing happens when the request was
   * not made or has been taken back before; answers whether something did. From then on the key is used up, so that a
   * request that is still on its way is refused. Throws InvalidIdempotencyKey, RequestInFlight, and what `undo` throws.
   */
  takingBack<Answer extends object>(request: Omit<RepeatableRequest, 'body'>, undo: (answer: Answer) => Promise<void>): Promise<boolean> {
    const undone = fingerprintOf({ operation: `${request.operation} taken back`, body: null });
    return this.db.run(async () => {
      await this.lock(request);
      const known = await this.known<Answer>(request);
      const isDone = known !== undefined && known.fingerprint !== undone;
      if (isDone) await undo(known.answer);
      await this.store(request, undone, {});
      return isDone;
    });
  }

  /** A lock that is tried, not waited for: the second of two equal requests is told so instead of hanging. */
  private async lock({ organizationId, actorId, key }: RequestKey): Promise<void> {
    if (!KEY.test(key)) throw new InvalidIdempotencyKey();
    const [lock] = await this.db.query<{ taken: boolean }>('select pg_try_advisory_xact_lock(hashtextextended(?, 0)) as taken', [JSON.stringify([organizationId, actorId, key])]);
    if (lock?.taken !== true) throw new RequestInFlight();
  }

  private async known<Answer>({ organizationId, actorId, key }: RequestKey): Promise<{ fingerprint: string; answer: Answer } | undefined> {
    const [known] = await this.db.query<{ fingerprint: string; answer: Answer }>('select fingerprint, answer from idempotency_keys where organization_id = ? and actor_id = ? and key = ? and expires_at > now()', [organizationId, actorId, key]);
    return known;
  }

  private async store({ organizationId, actorId, key }: RequestKey, fingerprint: string, answer: object): Promise<void> {
    await this.db.query(
      `insert into idempotency_keys (organization_id, actor_id, key, fingerprint, answer, created_at, expires_at) values (?, ?, ?, ?, ?::jsonb, now(), now() + make_interval(hours => ?))
       on conflict (organization_id, actor_id, key) do update set fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = excluded.created_at, expires_at = excluded.expires_at`,
      [organizationId, actorId, key, fingerprint, JSON.stringify(answer), KEPT_HOURS],
    );
  }
}

function fingerprintOf({ operation, body }: Pick<RepeatableRequest, 'operation' | 'body'>): string {
  return createHash('sha256').update(canonicalJson([operation, body])).digest('hex');
}
