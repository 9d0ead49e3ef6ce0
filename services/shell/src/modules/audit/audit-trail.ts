import { randomUUID } from 'node:crypto';
import { systemClock, type Clock } from '@satellite/kit/core';
import type { Database } from '@satellite/kit/db';
import type { Logger } from '@satellite/kit/telemetry';
import { circumstances, type AuditActor, type Circumstances } from './audit-scope.js';
import type { AuditChainsRepository } from './audit-chains.repository.js';
import { byChain, type Addition, type AuditSeal, type EntryContent } from './audit-seal.js';
import type { AuditAction, AuditTarget } from './audit.actions.js';
import { KnownEnds } from './known-ends.js';
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
  /** Client ids of operators, which entries tell from other services. */
  readonly operatorClientIds: readonly string[];
  readonly logger: Logger;
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
  private readonly ends = new KnownEnds();
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
    const groups = [...byChain(contents)];
    const known = groups.length === 1 ? this.ends.of(groups[0]?.[0] ?? '') : undefined;
    if (known !== undefined && (await this.write([seal.added(known, contents)]))) return; // nobody else has written to it since we did
    const ends = await chains.lock(groups.map(([id]) => id));
    const additions = groups.map(([id, entries]) => {
      const end = ends.get(id);
      if (end === undefined) throw new Error(`the audit chain ${id} cannot be locked`);
      if (!seal.isSealed(end)) this.deps.logger.error({ chain: id }, 'the row of an audit chain was changed past the Shell; verify the trail');
      return seal.added(end, entries);
    });
    if (!(await this.write(additions))) throw new Error('a locked audit chain has changed');
  }

  /** Says false when a chain does not end where it was expected to. */
  private async write(additions: readonly Addition[]): Promise<boolean> {
    const { chains, db, logger } = this.deps;
    if (!(await chains.write(additions))) return false;
    db.afterCommit(() => {
      for (const { to } of additions) {
        this.ends.remember(to);
        logger.info({ chain: to.id, seq: to.seq, hash: to.hash }, 'audit trail'); // the log is where a database's administrator cannot write
      }
    });
    return true;
  }

  private contentOf({ actor, address, requestId }: Circumstances, { action, organizationId, target }: Said, rest: Outcome): EntryContent {
    const text = (value: string | null | undefined, max: number): string | null => (value === null || value === undefined || value === '' ? null : recordableText(value, max));
    const isOperator = actor.kind === 'service' && this.deps.operatorClientIds.includes(actor.id ?? '');
    return {
      id: randomUUID(), ...rest, actorKind: isOperator ? 'operator' : actor.kind, actorId: text(actor.id, 64), actorName: text(actor.name, 100), act: text(actor.act, 100),
      organizationId, address: text(address, 64), requestId: text(requestId, 64), action, targetType: target?.type ?? null, targetId: text(target?.id, 128),
    };
  }

  private iso(at = this.clock.now()): string {
    return new Date(at).toISOString();
  }
}
