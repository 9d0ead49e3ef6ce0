import { eventually } from '@satellite/kit/testing';
import type { TestShell } from './shell.js';

/** An entry as the table has it. */
export interface StoredEntry {
  readonly chainId: string;
  readonly seq: number;
  readonly at: string;
  readonly actorKind: string;
  readonly actorId: string | null;
  readonly actorName: string | null;
  readonly organizationId: string | null;
  readonly address: string | null;
  readonly requestId: string | null;
  readonly action: string;
  readonly targetType: string | null;
  readonly targetId: string | null;
  readonly outcome: string;
  readonly reason: string | null;
  readonly occurrences: number;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
}

const ENTRIES = `
select chain_id as "chainId", seq::float8 as seq, at, actor_kind as "actorKind", actor_id as "actorId", actor_name as "actorName", organization_id as "organizationId", address, request_id as "requestId", action,
  target_type as "targetType", target_id as "targetId", outcome, reason, occurrences, before, after
from audit_entries`;

/** What a request has left in the audit trail; refusals are written after the answer, so they are waited for. */
export async function entriesOf(shell: TestShell, requestId: string, refusals = 0): Promise<StoredEntry[]> {
  const found = (): Promise<StoredEntry[]> => shell.query<StoredEntry>(`${ENTRIES} where request_id = ? order by at, seq`, [requestId]);
  if (refusals > 0) await eventually(async () => (await found()).filter(({ outcome }) => outcome === 'refused').length >= refusals, 20_000, `the refusal of ${requestId}`);
  return found();
}

/** The same by name of what was done, in an organization's trail or the platform's. */
export function entriesIn(shell: TestShell, organizationId: string | null, action = '%'): Promise<StoredEntry[]> {
  return shell.query<StoredEntry>(`${ENTRIES} where organization_id is not distinct from ?::uuid and action like ? order by seq`, [organizationId, action]);
}
