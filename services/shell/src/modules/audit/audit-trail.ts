import { randomUUID } from 'node:crypto';
import { systemClock, type Clock } from '@satellite/kit/core';
import type { Database } from '@satellite/kit/db';
import { circumstances, type AuditActor, type Circumstances } from './audit-scope.js';
import type { AuditChainsRepository } from './audit-chains.repository.js';
import { chainOf, type AuditSeal, type ChainState, type EntryContent, type SealedEntry } from './audit-seal.js';
import type { AuditAction, AuditTarget } from './audit.actions.js';
import { differenceOf, recordableText, type Snapshot } from './audit.fields.js';

/** Something that was done. */
export interface AuditEvent {
  readonly action: AuditAction;
  /** Whose trail it is; null = the platform's. */
  readonly organizationId: string | null;
  readonly target: AuditTarget;
  /** Absent: there was nothing before. */
  readonly before?: Snapshot | undefined;
  /** Absent: there is nothing any more. */
  readonly after?: Snapshot | undefined;
  /** Whoever sends the running request unless given. */
  readonly actor?: AuditActor;
  /** Nothing is recorded when nothing has changed: for what the system looks after by itself. */
  readonly ifChanged?: boolean;
}

/** An attempt that came to nothing, with the circumstances in which it was made. */
export interface Refusal extends Circumstances {
  readonly action: AuditAction;
  readonly organizationId: string | null;
  readonly target: AuditTarget | undefined;
  readonly reason: string;
  readonly at: number;
  readonly occurrences: number;
}

type Said = Pick<Refusal, 'action' | 'organizationId' | 'target'>;
type Outcome = Pick<EntryContent, 'outcome' | 'reason' | 'at' | 'occurrences' | 'before' | 'after'>;

export interface AuditTrailDeps {
  readonly db: Database;
  readonly chains: AuditChainsRepository;
  readonly seal: AuditSeal;
  /** Client id of the operator, which entries tell from other services. */
  readonly operatorClientId: string;
  readonly clock?: Clock;
}

/**
 * Who did what to what, in the transaction that does it: a change without its entry is as impossible as an entry
 * without its change. Entries are collected while the transaction runs and written as its last statements, so that
 * the end of the organization's chain is locked for the commit only.
 */
export class AuditTrail {
  /** Entries of running transactions, by the entity manager that is theirs alone. */
  private readonly collected = new WeakMap<object, EntryContent[]>();
  private readonly clock: Clock;

  constructor(private readonly deps: AuditTrailDeps) {
    this.clock = deps.clock ?? systemClock;
  }

  /** Records what the running transaction does; without one it gets one of its own. */
  async record(event: AuditEvent): Promise<void> {
    const now = circumstances();
    const difference = differenceOf(event.before, event.after);
    if (event.ifChanged === true && Object.keys({ ...difference.before, ...difference.after }).length === 0) return;
    await this.add(this.contentOf({ ...now, actor: event.actor ?? now.actor }, event, { outcome: 'success', reason: null, at: this.iso(), occurrences: 1, ...difference }));
  }

  /** Records attempts, all in one transaction. */
  recordRefusals(refusals: readonly Refusal[]): Promise<void> {
    return this.deps.db.run(async () => {
      for (const refusal of refusals) await this.add(this.contentOf(refusal, refusal, { outcome: 'refused', reason: refusal.reason, at: this.iso(refusal.at), occurrences: refusal.occurrences, before: null, after: null }));
    });
  }

  private add(content: EntryContent): Promise<void> {
    const { db } = this.deps;
    return db.run(() => {
      const entries = this.collected.get(db.em);
      if (entries !== undefined) entries.push(content);
      else this.collect(db.em, content);
      return Promise.resolve();
    });
  }

  private collect(transaction: object, first: EntryContent): void {
    const entries = [first];
    this.collected.set(transaction, entries);
    this.deps.db.beforeCommit(async () => {
      this.collected.delete(transaction);
      await this.append(entries);
    });
  }

  private async append(contents: readonly EntryContent[]): Promise<void> {
    const { chains, seal } = this.deps;
    const ends = await chains.lock(contents.map(({ organizationId }) => chainOf(organizationId)));
    const touched = new Map<string, ChainState>();
    const entries = contents.map((content): SealedEntry => {
      const chainId = chainOf(content.organizationId);
      const end = touched.get(chainId) ?? ends.get(chainId);
      if (end === undefined) throw new Error(`the audit chain ${chainId} cannot be locked`);
      const seq = end.seq + 1;
      const hash = seal.hashOf(end.hash, chainId, seq, content);
      touched.set(chainId, { ...end, seq, hash });
      return { ...content, chainId, seq, hash };
    });
    await chains.write(entries, [...touched.values()]);
  }

  private contentOf({ actor, address, requestId }: Circumstances, { action, organizationId, target }: Said, rest: Outcome): EntryContent {
    const text = (value: string | null | undefined, max: number): string | null => (value === null || value === undefined || value === '' ? null : recordableText(value, max));
    const isOperator = actor.kind === 'service' && actor.id === this.deps.operatorClientId;
    return {
      id: randomUUID(), ...rest, actorKind: isOperator ? 'operator' : actor.kind, actorId: text(actor.id, 64), actorName: text(actor.name, 100), act: text(actor.act, 100),
      organizationId, address: text(address, 64), requestId: text(requestId, 64), action, targetType: target?.type ?? null, targetId: text(target?.id, 128),
    };
  }

  private iso(at = this.clock.now()): string {
    return new Date(at).toISOString();
  }
}
