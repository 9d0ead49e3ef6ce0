import type { Database } from '@satellite/kit/db';
import { GENESIS, PLATFORM_CHAIN, type AuditSeal, type ChainEnd, type EntryContent } from './audit-seal.js';
import type { AuditVerificationRepository } from './audit-verification.repository.js';

/** The first thing in a chain that is not as it was written. */
export interface Breach {
  readonly chainId: string;
  /** Of the entry; null when it is about the chain as a whole. */
  readonly seq: number | null;
  readonly problem: string;
}

export interface VerifiedChain {
  readonly chainId: string;
  /** Entries that are there. */
  readonly entries: number;
  /** Of the last one. */
  readonly seq: number;
  readonly hash: string;
}

/** What verifying tells, chain by chain. */
export interface VerificationListener {
  verified(chain: VerifiedChain): void;
  broken(breach: Breach): void;
}

/** An entry of an organization's chain that the platform's chain knows. */
interface Anchor {
  readonly seq: number;
  readonly hash: string;
}

const PAGE = 500;
/** Before every id. */
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Reads the whole trail again and says where it is not what was written; a page at a time, however long it is. */
export class AuditVerification {
  constructor(
    private readonly db: Database,
    private readonly repository: AuditVerificationRepository,
    private readonly seal: AuditSeal,
  ) {}

  /** Answers how many chains are broken. */
  run(listener: VerificationListener): Promise<number> {
    return this.db.snapshot(async () => {
      let broken = 0;
      const report = (breach: Breach): void => {
        broken += 1;
        listener.broken(breach);
      };
      const anchors = new Map<string, Anchor>(); // as many as there are organizations, however long their chains
      const platform = await this.repository.chain(PLATFORM_CHAIN);
      const see = (found: VerifiedChain | Breach): void => ('problem' in found ? report(found) : listener.verified(found));
      if (platform !== undefined) see(await this.verify(platform, undefined, (entry) => collectAnchors(entry, anchors)));
      let previous = FIRST;
      for await (const chain of this.chains()) {
        await this.strays(previous, chain.id, report);
        if (chain.id !== PLATFORM_CHAIN) see(await this.verify(chain, anchors.get(chain.id)));
        previous = chain.id;
      }
      await this.strays(previous, undefined, report);
      await this.count(platform, report);
      return broken;
    });
  }

  private async *chains(): AsyncGenerator<ChainEnd> {
    for (let after = FIRST; ; ) {
      const page = await this.repository.chainsAfter(after, PAGE);
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      after = last.id;
    }
  }

  private async verify(chain: ChainEnd, anchor?: Anchor, read?: (entry: EntryContent) => void): Promise<VerifiedChain | Breach> {
    const broken = (seq: number | null, problem: string): Breach => ({ chainId: chain.id, seq, problem });
    if (!this.seal.isSealed(chain)) return broken(null, 'the row that says where the chain begins and ends was changed, or another key is in use');
    let [seq, hash, entries] = [chain.baseSeq, chain.baseSeq === 0 ? GENESIS : chain.baseHash, 0];
    for (let more = true; more; ) {
      const page = await this.repository.entriesAfter(chain.id, seq, PAGE);
      more = page.length === PAGE;
      for (const { chainId, seq: number, hash: written, ...content } of page) {
        if (number !== seq + 1) return broken(seq + 1, 'the entry is gone');
        if (number > chain.seq) return broken(number, 'the entry was not written by the Shell');
        hash = this.seal.hashOf(hash, chainId, number, content);
        if (!this.seal.holds(hash, written)) return broken(number, 'the entry was changed, moved or put there');
        if (anchor?.seq === number && anchor.hash !== hash) return broken(number, 'the entry is not the one that the platform\'s chain knows');
        read?.(content);
        seq = number;
        entries += 1;
      }
    }
    if (seq !== chain.seq) return broken(seq + 1, `the end of the chain, up to entry ${chain.seq}, is gone`);
    if (anchor !== undefined && anchor.seq > seq) return broken(seq + 1, `the chain was set back: the platform's chain knows its entry ${anchor.seq}`);
    if (!this.seal.holds(hash, chain.hash)) return broken(seq, 'the chain ends otherwise than its row says');
    return { chainId: chain.id, entries, seq, hash };
  }

  private async strays(after: string, before: string | undefined, report: (breach: Breach) => void): Promise<void> {
    for (let stray = await this.repository.strayBetween(after, before); stray !== undefined; stray = await this.repository.strayBetween(stray, before)) {
      report({ chainId: stray, seq: null, problem: 'the chain has entries, but its row is gone' });
    }
  }

  /** The platform's row says how many chains there are. */
  private async count(platform: ChainEnd | undefined, report: (breach: Breach) => void): Promise<void> {
    if (platform === undefined) return report({ chainId: PLATFORM_CHAIN, seq: null, problem: 'the platform\'s chain is gone' });
    const count = await this.repository.countChains();
    if (count !== platform.chains) report({ chainId: PLATFORM_CHAIN, seq: null, problem: `there are ${count} chains, and there were ${platform.chains}` });
  }
}

/** The newest anchor of each chain; the platform's chain is read in its order. */
function collectAnchors({ action, after }: EntryContent, anchors: Map<string, Anchor>): void {
  const heads = action === 'audit.anchor' ? after?.['heads'] : undefined;
  for (const [id, head] of Object.entries(heads ?? {})) {
    const [seq, hash = ''] = String(head).split(' ');
    anchors.set(id, { seq: Number(seq), hash });
  }
}
