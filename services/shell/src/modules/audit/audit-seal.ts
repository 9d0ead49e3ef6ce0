import { createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '@satellite/kit/core';
import type { AuditActor } from './audit-scope.js';
import type { TargetType } from './audit.actions.js';

/** Chain of what belongs to no organization. The highest there is: whoever locks several chains locks it last. */
export const PLATFORM_CHAIN = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Before the first entry. */
export const GENESIS = '0'.repeat(64);

export type AuditOutcome = 'success' | 'refused';

/** All that an entry says; its hash covers every bit of it. */
export interface EntryContent {
  readonly id: string;
  /** ISO 8601 with milliseconds. */
  readonly at: string;
  readonly actorKind: AuditActor['kind'];
  readonly actorId: string | null;
  readonly actorName: string | null;
  readonly act: string | null;
  /** null = the platform. */
  readonly organizationId: string | null;
  readonly address: string | null;
  readonly requestId: string | null;
  readonly action: string;
  readonly targetType: TargetType | null;
  readonly targetId: string | null;
  readonly outcome: AuditOutcome;
  /** Code of the error; null for a success. */
  readonly reason: string | null;
  /** More than one: so many equal refusals in a row, written as one. */
  readonly occurrences: number;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** Where an entry stands. */
export interface SealedEntry extends EntryContent {
  readonly chainId: string;
  readonly seq: number;
  readonly hash: string;
}

/** A chain as its row has it: from which checkpoint it goes, and to which entry. */
export interface ChainState {
  readonly id: string;
  /** Entries up to this one were removed by age; 0 = none. */
  readonly baseSeq: number;
  readonly baseHash: string;
  readonly seq: number;
  readonly hash: string;
  /** Of the platform's chain: how many chains there are, with itself; 0 for the others. */
  readonly chains: number;
}

/** A chain with the seal that its row bears. */
export interface ChainEnd extends ChainState {
  readonly seal: string;
}

/** Entries of one chain, and where it ends before and after them. */
export interface Addition {
  readonly from: ChainEnd;
  readonly to: ChainEnd;
  readonly entries: readonly SealedEntry[];
}

/** Borne for ever by the row of a chain that somebody has changed: the next entry must not make it good again. */
const BROKEN = 'x'.repeat(64);

/**
 * Makes entries and the ends of chains tell whether somebody has changed them. Keyed: who can write to the database,
 * but does not know the key, cannot make a chain that holds.
 */
export class AuditSeal {
  private readonly key: Buffer;

  constructor(keyEncryptionKey: Buffer) {
    this.key = createHmac('sha256', keyEncryptionKey).update('audit chain').digest();
  }

  /** Hash of an entry, over the one before and everything it says. */
  hashOf(previous: string, chainId: string, seq: number, content: EntryContent): string {
    const { id, at, actorKind, actorId, actorName, act, organizationId, address, requestId, action, targetType, targetId, outcome, reason, occurrences, before, after } = content;
    const said = [id, at, actorKind, actorId, actorName, act, organizationId, address, requestId, action, targetType, targetId, outcome, reason, occurrences, before, after];
    return this.mac(['entry', previous, chainId, seq, ...said]);
  }

  /** Seal of a chain's row, so that its end cannot be moved back. */
  sealOf({ id, baseSeq, baseHash, seq, hash, chains }: ChainState): string {
    return this.mac(['chain', id, baseSeq, baseHash, seq, hash, chains]);
  }

  /** A chain's row as it becomes; what was not sealed by us before is not sealed by us after. */
  resealed(from: ChainEnd, to: ChainState): ChainEnd {
    return { ...to, seal: this.isSealed(from) ? this.sealOf(to) : BROKEN };
  }

  isSealed(chain: ChainEnd): boolean {
    return this.holds(this.sealOf(chain), chain.seal);
  }

  /** Entries with these contents behind the end of their chain. */
  added(from: ChainEnd, contents: readonly EntryContent[]): Addition {
    let [seq, hash] = [from.seq, from.hash];
    const entries = contents.map((content): SealedEntry => {
      seq += 1;
      hash = this.hashOf(hash, from.id, seq, content);
      return { ...content, chainId: from.id, seq, hash };
    });
    return { from, to: this.resealed(from, { ...from, seq, hash }), entries };
  }

  holds(expected: string, found: string): boolean {
    return expected.length === found.length && timingSafeEqual(Buffer.from(expected), Buffer.from(found));
  }

  private mac(parts: readonly unknown[]): string {
    return createHmac('sha256', this.key).update(canonicalJson(parts)).digest('hex');
  }
}

/** What belongs to organizations or the platform, by chain. */
export function byChain<T extends { readonly organizationId: string | null }>(items: readonly T[]): Map<string, T[]> {
  const chains = new Map<string, T[]>();
  for (const item of items) {
    const id = item.organizationId ?? PLATFORM_CHAIN;
    const known = chains.get(id);
    if (known) known.push(item);
    else chains.set(id, [item]);
  }
  return chains;
}
