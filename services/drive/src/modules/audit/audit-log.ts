import { randomUUID } from 'node:crypto';
import { Page, singleLine, type ListQuery } from '@satellite/kit/core';
import type { Database } from '@satellite/kit/db';
import { currentRequest } from '@satellite/kit/http';

/** Who did it. */
export interface AuditActor {
  readonly organizationId: string;
  /** Null for strangers with a link, and for Drive itself. */
  readonly id: string | null;
  readonly email: string;
}

/** What was done to what. */
export interface AuditEvent {
  /** For example `files.uploaded`. */
  readonly action: string;
  readonly subject: { readonly id: string | null; readonly name: string };
  readonly details?: Readonly<Record<string, unknown>>;
}

/** One line of the audit trail. */
export interface AuditEntry {
  readonly id: string;
  readonly at: Date;
  readonly actorId: string | null;
  readonly actorName: string;
  readonly action: string;
  readonly subjectId: string | null;
  readonly subjectName: string | null;
  readonly details: Record<string, unknown>;
  readonly requestId: string | null;
}

/** Who touched what: written in the transaction of the change, never changed afterwards. */
export class AuditLog {
  constructor(private readonly db: Database) {}

  async record({ organizationId, id, email }: AuditActor, { action, subject, details = {} }: AuditEvent): Promise<void> {
    await this.db.query(
      `insert into audit_entries (id, organization_id, at, actor_id, actor_name, action, subject_id, subject_name, details, request_id) values (?, ?, clock_timestamp(), ?, ?, ?, ?, ?, ?::jsonb, ?)`,
      [randomUUID(), organizationId, id, singleLine(email, 250), action, subject.id, singleLine(subject.name, 250), JSON.stringify(details), currentRequest()?.requestId ?? null],
    );
  }

  /** The newest first. */
  async page(organizationId: string, { page, limit }: Pick<ListQuery, 'page' | 'limit'>): Promise<Page<AuditEntry>> {
    const [rows, [count]] = await Promise.all([
      this.db.query<Omit<AuditEntry, 'at'> & { at: string }>(
        `select id, at, actor_id as "actorId", actor_name as "actorName", action, subject_id as "subjectId", subject_name as "subjectName", details, request_id as "requestId"
         from audit_entries where organization_id = ? order by at desc, id limit ? offset ?`,
        [organizationId, limit, (page - 1) * limit],
      ),
      this.db.query<{ total: string }>('select count(*) as total from audit_entries where organization_id = ?', [organizationId]),
    ]);
    return new Page(rows.map((row) => ({ ...row, at: new Date(row.at) })), { page, limit, total: Number(count?.total ?? 0) });
  }
}
