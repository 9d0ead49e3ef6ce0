import { AppNotEnabled, PermissionMissing, ShellUnavailable, TokenRefused, type Authorization, type PermissionClient } from '@satellite/kit/auth';
import type { Database } from '@satellite/kit/db';
import { StorageFull } from './storage.errors.js';

/** Who stores something. */
export interface Storer {
  readonly shellUserId: string;
  readonly organizationId: string;
}

/** What was counted for a file, to be given back with it. */
export interface Counted {
  readonly counted: boolean;
  readonly countedUntil: Date | null;
}

export interface StorageQuotaDeps {
  readonly db: Database;
  readonly permissions: Pick<PermissionClient, 'authorize' | 'cancel' | 'release'>;
  /** Slug of the app: its permission codes and limit keys begin with it. */
  readonly slug: string;
  /** Bytes of an organization whose plan says nothing about storage. */
  readonly freeBytes: number;
}

/** Any constant that nobody else uses. */
const FREE_LOCK = 7_317_003;
const NOT_COUNTED: Counted = { counted: false, countedUntil: null };
const NOBODY = new Set(['unknown_subject', 'subject_inactive', 'organization_inactive', 'other_organization']);

/**
 * How much an organization may store. Its plan says so, and the Shell counts: all bytes of a file or none, under the
 * key of its object, so that what fails is taken back exactly. Where the plan has no such limit, a fixed amount is free.
 */
export class StorageQuota {
  private readonly limitKey: string;

  constructor(private readonly deps: StorageQuotaDeps) {
    this.limitKey = `${deps.slug}.storage_bytes`;
  }

  /** Counts the bytes of an object. Throws StorageFull, PermissionMissing, AppNotEnabled, TokenRefused or ShellUnavailable. */
  async take(storer: Storer, objectKey: string, bytes: number): Promise<Counted> {
    if (bytes === 0) return NOT_COUNTED;
    const { allowed, reason, quota } = await this.authorize(storer, objectKey, bytes);
    if (allowed) return { counted: true, countedUntil: quota?.resetsAt ? new Date(quota.resetsAt) : null };
    if (reason !== 'quota_exceeded' || quota === undefined) throw this.refusal(reason);
    if (quota.limit === 0) return NOT_COUNTED; // not in the plan: `assertFree` decides in the transaction of the file
    throw new StorageFull(quota.limit, quota.used);
  }

  /** In the transaction that adds the file, for bytes that the Shell did not count. Throws StorageFull. */
  async assertFree(organizationId: string, bytes: number): Promise<void> {
    const { db, freeBytes } = this.deps;
    await db.query('select pg_advisory_xact_lock(?, hashtext(?))', [FREE_LOCK, organizationId]);
    const [row] = await db.query<{ used: string }>('select coalesce(sum(size), 0) as used from files where organization_id = ? and not counted', [organizationId]);
    const used = Number(row?.used ?? 0);
    if (used + bytes > freeBytes) throw new StorageFull(freeBytes, used);
  }

  /** Takes back what `take` may have counted for an object that did not become a file. */
  async takeBack(organizationId: string, objectKey: string): Promise<void> {
    await this.deps.permissions.cancel({ organizationId, idempotencyKey: objectKey });
  }

  /** Gives back the bytes of a deleted file. */
  async giveBack(organizationId: string, objectKey: string, bytes: number, countedUntil: string | null): Promise<void> {
    await this.deps.permissions.release({ organizationId, limitKey: this.limitKey, amount: bytes, idempotencyKey: objectKey, ...(countedUntil !== null && { resetsAt: new Date(countedUntil).toISOString() }) });
  }

  /**
   * The Shell counts for those who hold the permission there. Whom Drive's own administrators let write does so on
   * their authority: where the person lacks it, one of them who has it stands in.
   */
  private async authorize(storer: Storer, objectKey: string, bytes: number): Promise<Authorization> {
    const answer = await this.ask(storer, objectKey, bytes);
    if (answer.reason !== 'not_granted') return answer;
    for (const shellUserId of await this.administrators(storer.organizationId)) {
      const vouched = await this.ask({ ...storer, shellUserId }, objectKey, bytes);
      if (vouched.allowed || vouched.reason === 'quota_exceeded') return vouched;
    }
    return answer;
  }

  private ask({ shellUserId, organizationId }: Storer, objectKey: string, amount: number): Promise<Authorization> {
    const { permissions, slug } = this.deps;
    return permissions.authorize({ sub: shellUserId, organizationId, act: 'write', obj: `${slug}.files`, limitKey: this.limitKey, amount, idempotencyKey: objectKey });
  }

  private async administrators(organizationId: string): Promise<string[]> {
    const rows = await this.deps.db.query<{ id: string }>(
      `select u.shell_user_id as id from user_roles r join users u on u.id = r.user_id where r.organization_id = ? and r.role_id = 'admin' and u.status = 'active' and u.shell_user_id is not null order by r.granted_at limit 10`,
      [organizationId],
    );
    return rows.map(({ id }) => id);
  }

  private refusal(reason: string): Error {
    if (NOBODY.has(reason)) return new TokenRefused();
    if (reason === 'app_not_enabled') return new AppNotEnabled();
    return reason === 'not_granted' ? new PermissionMissing(`${this.deps.slug}.files:write`) : new ShellUnavailable();
  }
}
