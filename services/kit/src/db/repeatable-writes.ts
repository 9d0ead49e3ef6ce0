import { AsyncLocalStorage } from 'node:async_hooks';
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { canonicalJson, InvalidFields, jsonDepth } from '../core/index.js';
import type { Database } from './database.js';
import { IdempotencyKeyReused, InvalidIdempotencyKey, RequestInFlight, type OnceOnly } from './idempotency.js';

/** The table behind RepeatableWrites; a service's migration creates it. Keys are stored as digests, answers sealed. */
export const REPEATABLE_WRITES_TABLE = `
  create table repeatable_writes (
    organization_id uuid not null,
    actor_id varchar(64) not null,
    operation varchar(100) not null,
    key_digest char(64) not null,
    fingerprint char(64) not null,
    claim uuid not null,
    claimed_until timestamptz(3) not null,
    answer text,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    primary key (organization_id, actor_id, operation, key_digest)
  )`;

/** What housekeeping may remove of it. */
export const REPEATABLE_WRITES_SWEEP = { table: 'repeatable_writes', where: 'expires_at <= now()' } as const;

/** How long an answer is kept. */
const KEPT_HOURS = 24;
/** Longer than any request takes: after it a request without an answer has died with its process. */
const CLAIM_SECONDS = 120;
const KEY = /^[\x21-\x7e]{1,200}$/;
const MAX_DEPTH = 100;

/** A write that its client may repeat. */
export interface RepeatableWrite {
  /** Who asks: keys of one caller mean nothing to another, nor to another operation. */
  readonly organizationId: string;
  readonly actorId: string;
  readonly operation: string;
  /** The header as it came. */
  readonly key: string;
  /** What is asked for: must be the same when the key is the same. */
  readonly asked: unknown;
}

interface Running {
  keep(result: unknown): Promise<void>;
}

const running = new AsyncLocalStorage<Running>();

/**
 * Says what a write has made, as the last thing in its transaction: where the request may be repeated, its answer is
 * stored by the same commit. Answers its argument.
 */
export async function kept<Result>(result: Result): Promise<Result> {
  await running.getStore()?.keep(result);
  return result;
}

/** The lease of a request's key, or the answer to an earlier request. */
type Claim = { readonly id: string } | { readonly answer: string };

/**
 * Does writes once per Idempotency-Key, also those that take long or reach outside before they write. A request claims
 * its key in a commit of its own, so that a second one is told at once; its answer is stored by the commit of the write
 * (`kept`), so either both are there or neither is; a failure gives the key back, and a claim whose process has died
 * ends by itself. Short writes that need no claim have IdempotencyStore.
 */
export class RepeatableWrites {
  /** @param key of 32 bytes, of which those that seal answers are made */
  constructor(
    private readonly db: Database,
    private readonly key: Buffer,
  ) {}

  /** Runs `work`, which calls `kept`, unless the key has an answer. Throws InvalidIdempotencyKey, IdempotencyKeyReused, RequestInFlight, and what `work` throws. */
  async once<Result, View>(write: RepeatableWrite, work: () => Promise<Result>, present: (result: Result) => View): Promise<OnceOnly<View>> {
    const claim = await this.claim(write);
    if ('answer' in claim) return { answer: JSON.parse(this.opened(write, claim.answer)) as View, replayed: true };
    let answer: View | undefined;
    const keep = async (result: unknown): Promise<void> => {
      answer = present(result as Result);
      await this.store(write, claim.id, this.sealed(write, JSON.stringify(answer)));
    };
    try {
      await running.run({ keep }, work);
    } catch (error) {
      await this.release(write, claim.id).catch(() => undefined); // then it ends by itself
      throw error;
    }
    if (answer === undefined) throw new Error(`${write.operation} keeps no answer`);
    return { answer, replayed: false };
  }

  private async claim(write: RepeatableWrite): Promise<Claim> {
    if (!KEY.test(write.key)) throw new InvalidIdempotencyKey();
    if (jsonDepth(write.asked, MAX_DEPTH) > MAX_DEPTH) throw new InvalidFields([{ field: 'body', message: `must not be nested deeper than ${MAX_DEPTH}` }]);
    const [id, fingerprint] = [randomUUID(), createHmac('sha256', this.keyOf(write)).update(canonicalJson(write.asked)).digest('hex')]; // with a key: what is asked for may hold a password
    const mine = await this.db.query(
      `insert into repeatable_writes as r (organization_id, actor_id, operation, key_digest, fingerprint, claim, claimed_until, created_at, expires_at)
       values (?, ?, ?, ?, ?, ?, now() + make_interval(secs => ?), now(), now() + make_interval(hours => ?))
       on conflict (organization_id, actor_id, operation, key_digest) do update set fingerprint = excluded.fingerprint, claim = excluded.claim, claimed_until = excluded.claimed_until, answer = null, created_at = excluded.created_at, expires_at = excluded.expires_at
       where r.expires_at <= now() or (r.answer is null and r.claimed_until <= now()) returning claim`,
      [...primaryKey(write), fingerprint, id, CLAIM_SECONDS, KEPT_HOURS],
    );
    if (mine.length > 0) return { id };
    const [known] = await this.db.query<{ fingerprint: string; answer: string | null }>(`select fingerprint, answer from repeatable_writes where ${IS_IT}`, primaryKey(write));
    if (known === undefined) throw new RequestInFlight(); // it has just given its key back
    if (known.fingerprint !== fingerprint) throw new IdempotencyKeyReused();
    if (known.answer === null) throw new RequestInFlight();
    return { answer: known.answer };
  }

  /** In the running transaction; throws RequestInFlight when the claim has ended and another request has the key. */
  private async store(write: RepeatableWrite, claim: string, answer: string): Promise<void> {
    const stored = await this.db.query(`update repeatable_writes set answer = ? where ${IS_IT} and claim = ? returning claim`, [answer, ...primaryKey(write), claim]);
    if (stored.length === 0) throw new RequestInFlight();
  }

  private async release(write: RepeatableWrite, claim: string): Promise<void> {
    await this.db.query(`delete from repeatable_writes where ${IS_IT} and claim = ? and answer is null`, [...primaryKey(write), claim]);
  }

  private sealed(write: RepeatableWrite, text: string): string {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.keyOf(write), iv);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
  }

  private opened(write: RepeatableWrite, text: string): string {
    const bytes = Buffer.from(text, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', this.keyOf(write), bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  }

  /** Made of the client's key as well, which is not stored: neither the database nor the service alone can open an answer. */
  private keyOf(write: RepeatableWrite): Buffer {
    return Buffer.from(hkdfSync('sha256', this.key, write.key, `repeatable write ${primaryKey(write).join(' ')}`, 32));
  }
}

const IS_IT = 'organization_id = ? and actor_id = ? and operation = ? and key_digest = ?';

function primaryKey({ organizationId, actorId, operation, key }: RepeatableWrite): string[] {
  return [organizationId, actorId, operation, createHash('sha256').update(key).digest('hex')];
}
