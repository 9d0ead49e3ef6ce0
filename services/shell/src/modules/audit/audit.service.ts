import { parseListQuery, type ListParameters, type ListRules, type Page } from '@satellite/kit/core';
import { actsOnAll, type UserActor } from '../../actor.js';
import type { AuditEntriesRepository } from './audit-entries.repository.js';
import { ACTOR_KINDS, AUDIT_OUTCOMES, type AuditEntry } from './audit-entry.entity.js';
import type { RefusalLog } from './refusal-log.js';

const LIST_RULES: ListRules = {
  fields: {
    at: 'timestamp', actorKind: { oneOf: ACTOR_KINDS }, actorId: 'string', actorName: 'string', action: 'string', outcome: { oneOf: AUDIT_OUTCOMES }, reason: 'string', targetType: 'string', targetId: 'string',
    organizationId: 'uuid', address: 'string', requestId: 'string',
  },
  sort: ['at'],
  defaultSort: '-at',
  maxLimit: 50,
};

/** The audit trail as administrators read it. */
export class AuditService {
  constructor(
    private readonly entries: AuditEntriesRepository,
    private readonly refusals: RefusalLog,
  ) {}

  /** Of the actor's organization; who acts on all organizations sees those of all and of the platform. Throws InvalidFields. */
  async list(actor: UserActor, parameters: ListParameters): Promise<Page<AuditEntry>> {
    const query = parseListQuery(parameters, LIST_RULES);
    await this.refusals.flush(); // who was refused a moment ago finds it here
    return actsOnAll(actor) ? this.entries.pageOfAll(query) : this.entries.page(actor.organizationId, query);
  }
}
