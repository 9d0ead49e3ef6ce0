import type { ListQuery, Page } from '@satellite/kit/core';
import { findPage, type Database } from '@satellite/kit/db';
import { TenantRepository } from '../../tenant.repository.js';
import { AuditEntry } from './audit-entry.entity.js';

/** Entries to read; an organization sees its own. */
export class AuditEntriesRepository extends TenantRepository<AuditEntry> {
  constructor(db: Database) {
    super(db, AuditEntry);
  }

  /** Of the whole platform. */
  pageOfAll(query: ListQuery): Promise<Page<AuditEntry>> {
    return findPage(this.db.em, AuditEntry, query, {}, 'id');
  }
}
