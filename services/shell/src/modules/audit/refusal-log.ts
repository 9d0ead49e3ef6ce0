import { messageOf, systemClock, type Clock } from '@satellite/kit/core';
import { rateKeyOfAddress } from '@satellite/kit/http';
import type { Logger } from '@satellite/kit/telemetry';
import type { Background } from '../../parts.js';
import type { AuditTrail, Refusal } from './audit-trail.js';
import { byChain } from './audit-seal.js';

const WINDOW_MS = 60_000;
/** Refusals of one actor or address that get entries of their own in a window; more of them are counted. */
const OWN_ENTRIES = 30;
/** The same for all strangers together, so that no number of addresses can fill the table. */
const STRANGERS_ENTRIES = 120;
/** Entries that wait for a database that is away. */
const MAX_WAITING = 5000;
const TICK_MS = 1000;

/** Whose refusals are counted together when there are too many. */
const STRANGERS = 'strangers';

interface Window {
  readonly end: number;
  spent: number;
}

/** Equal refusals, counted until their window ends. */
interface Counted {
  readonly refusal: Refusal;
  readonly due: number;
  occurrences: number;
}

/**
 * Refusals on their way into the audit trail. They are written after the answer, by themselves, so that nobody waits
 * for them; of a flood the first ones are written one by one and the rest as a number.
 */
export class RefusalLog implements Background {
  private readonly windows = new Map<string, Window>();
  private readonly counted = new Map<string, Counted>();
  private waiting: Refusal[] = [];
  private lost = 0;
  /** The last write failed; not every refusal shall try another one. */
  private failing = false;
  private writing: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly trail: AuditTrail,
    private readonly logger: Logger,
    private readonly clock: Clock = systemClock,
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.flush(), TICK_MS).unref();
  }

  /** Everything that was noted is written, or the log says what could not be. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
    this.takeCounted(Infinity);
    await this.flush();
    this.lost += this.waiting.length;
    if (this.lost > 0) this.logger.error({ lost: this.lost }, 'refusals could not be written into the audit trail');
  }

  note(given: Omit<Refusal, 'at' | 'occurrences'>): void {
    const now = this.clock.now();
    const refusal: Refusal = { ...given, at: now, occurrences: 1 };
    const source = sourceOf(refusal);
    if (this.mayWrite(source, refusal.actor.kind === 'anonymous', now)) {
      this.wait(refusal);
      this.wake();
    } else this.count(source, refusal, now);
  }

  /** Writes what waits and what has been counted long enough; when it resolves, everything noted before is in the trail or waits for the database. */
  async flush(): Promise<void> {
    while (this.writing !== undefined) await this.writing;
    this.takeCounted(this.clock.now());
    if (this.waiting.length === 0) return;
    this.writing = this.write().finally(() => (this.writing = undefined));
    await this.writing;
    this.wake();
  }

  /** Writes soon what waits: at once, after the write that is under way, or, while the database is away, with the next tick. */
  private wake(): void {
    if (this.writing === undefined && !this.failing && this.waiting.length > 0) void this.flush();
  }

  private mayWrite(source: string, isStranger: boolean, now: number): boolean {
    const own = this.windowOf(source, now);
    const all = isStranger ? this.windowOf(STRANGERS, now) : undefined;
    if (own.spent >= OWN_ENTRIES || (all !== undefined && all.spent >= STRANGERS_ENTRIES)) {
      if (own.spent === 0) this.windows.delete(source); // a stranger too many: nothing is kept of him
      return false;
    }
    own.spent += 1;
    if (all) all.spent += 1;
    return true;
  }

  private windowOf(source: string, now: number): Window {
    const known = this.windows.get(source);
    if (known !== undefined && known.end > now) return known;
    const window: Window = { end: now + WINDOW_MS, spent: 0 };
    this.windows.set(source, window);
    return window;
  }

  private count(source: string, refusal: Refusal, now: number): void {
    const isOne = this.windows.has(source);
    const { action, reason, organizationId, address } = refusal;
    const key = [isOne ? source : STRANGERS, organizationId, action, reason].join(' ');
    const known = this.counted.get(key);
    if (known !== undefined) known.occurrences += 1;
    else this.counted.set(key, { refusal: { ...refusal, target: undefined, requestId: undefined, address: isOne ? address : undefined }, due: now + WINDOW_MS, occurrences: 1 });
  }

  private takeCounted(now: number): void {
    for (const [key, { refusal, due, occurrences }] of this.counted) {
      if (due > now) continue;
      this.counted.delete(key);
      this.wait({ ...refusal, occurrences });
    }
    for (const [source, { end }] of this.windows) if (end <= now) this.windows.delete(source);
  }

  private wait(refusal: Refusal): void {
    if (this.waiting.length < MAX_WAITING) this.waiting.push(refusal);
    else this.lost += refusal.occurrences;
  }

  /** One transaction a chain, so that organizations do not wait for each other. */
  private async write(): Promise<void> {
    const batch = this.waiting;
    this.waiting = [];
    this.failing = false;
    for (const refusals of byChain(batch).values()) {
      await this.trail.recordRefusals(refusals).catch((error: unknown) => {
        this.failing = true;
        for (const refusal of refusals) this.wait(refusal);
        this.logger.warn({ error: messageOf(error), waiting: this.waiting.length }, 'refusals cannot be written into the audit trail yet');
      });
    }
  }
}

function sourceOf({ actor, address }: Refusal): string {
  return actor.kind === 'anonymous' ? `address ${rateKeyOfAddress(address ?? '')}` : `${actor.kind} ${actor.id ?? ''}`;
}
