import { messageOf } from '@satellite/kit/core';
import type { Logger } from '@satellite/kit/telemetry';
import { ApiStatusError } from './api-error.js';
import { microTime } from './micro-time.js';
import { pause, systemTimers, type Timers } from './timers.js';

/** A Lease of coordination.k8s.io/v1, as far as election needs it. */
export interface Lease {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly resourceVersion?: string };
  readonly spec: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

/** Reads and writes one Lease. Writes carry the resource version and fail with a conflict when someone else wrote. */
export interface LeaseClient {
  get(): Promise<Lease | undefined>;
  create(spec: Lease['spec']): Promise<Lease>;
  replace(lease: Lease): Promise<Lease>;
}

export interface LeaderElectorOptions {
  readonly client: LeaseClient;
  /** Who we are; unique for each process. */
  readonly identity: string;
  readonly logger: Logger;
  readonly timers?: Timers;
  readonly now?: () => number;
  readonly leaseMs?: number;
  readonly renewDeadlineMs?: number;
  readonly retryMs?: number;
  /** How often a standby looks at the lease. */
  readonly watchMs?: number;
}

/**
 * Sees to it that one process works. Whether another one's lease has run out is judged by how long *we* have seen it
 * unchanged, never by the times written in it: clocks of two machines need not agree.
 */
export class LeaderElector {
  readonly lost: Promise<void>;
  private readonly stopping = new AbortController();
  private readonly timers: Timers;
  private readonly timing: { readonly leaseMs: number; readonly renewDeadlineMs: number; readonly retryMs: number; readonly watchMs: number };
  private observed: { readonly record: string; readonly at: number } | undefined;
  private lease: Lease | undefined;
  private leading = false;
  /** Undefined while no election is under way. */
  private tickedAt: number | undefined;
  private loop: Promise<void> = Promise.resolve();
  private declareLost: () => void = () => undefined;

  constructor(private readonly options: LeaderElectorOptions) {
    const { leaseMs = 15_000, renewDeadlineMs = 10_000, retryMs = 2000, watchMs = 1000 } = options;
    this.timing = { leaseMs, renewDeadlineMs, retryMs, watchMs };
    this.timers = options.timers ?? systemTimers;
    this.lost = new Promise((resolve) => (this.declareLost = resolve));
  }

  isLeader(): boolean {
    return this.leading;
  }

  /** @param lead called once, when this process is the leader */
  start(lead: () => void): Promise<void> {
    this.tickedAt = this.timers.now();
    this.loop = this.run(lead).finally(() => (this.tickedAt = undefined));
    return this.loop;
  }

  /** Stops and gives the lease back, so that a standby can go on at once. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop;
    if (!this.leading) return;
    this.leading = false;
    await this.release().catch((error: unknown) => this.options.logger.warn({ detail: messageOf(error) }, 'the lease could not be given back; it runs out by itself'));
  }

  /** The election hangs. An API server that does not answer is no reason, and neither is a lead that others have. */
  unhealthy(): string | undefined {
    const silent = this.timers.now() - (this.tickedAt ?? this.timers.now());
    return silent > 4 * this.timing.leaseMs ? `the election has not moved for ${Math.round(silent / 1000)} s` : undefined;
  }

  private async run(lead: () => void): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted && !(await this.tryOnce())) await pause(this.untilNextLook(), signal, this.timers);
    if (signal.aborted) return;
    this.leading = true;
    this.options.logger.info({ identity: this.options.identity }, 'this process leads');
    lead();
    await this.keep(signal);
  }

  private async keep(signal: AbortSignal): Promise<void> {
    let renewedAt = this.timers.now();
    for (;;) {
      await pause(this.timing.retryMs, signal, this.timers);
      if (signal.aborted) return;
      if (await this.tryOnce(renewedAt + this.timing.renewDeadlineMs)) renewedAt = this.timers.now();
      else if (this.heldByOther() || this.timers.now() - renewedAt >= this.timing.renewDeadlineMs) break;
    }
    this.leading = false;
    this.options.logger.error({ identity: this.options.identity }, 'the lease was lost: this process must end');
    this.declareLost();
  }

  /** True when the lease is ours afterwards. Trouble with the API server counts as "not now". */
  private async tryOnce(deadline = Number.POSITIVE_INFINITY): Promise<boolean> {
    this.tickedAt = this.timers.now();
    try {
      return await within(deadline - this.timers.now(), this.timers, this.acquireOrRenew());
    } catch (error) {
      const conflict = error instanceof ApiStatusError && error.isConflict();
      this.options.logger[conflict ? 'debug' : 'warn']({ detail: messageOf(error) }, 'the lease could not be read or written');
      return false;
    }
  }

  private async acquireOrRenew(): Promise<boolean> {
    const { client, identity } = this.options;
    const lease = await client.get();
    this.observe(lease);
    if (!lease) {
      this.observe(await client.create(this.claim(undefined)));
      return true;
    }
    const holder = lease.spec.holderIdentity;
    if (holder !== undefined && holder !== '' && holder !== identity && this.unchangedForMs() < this.durationMs(lease)) return false;
    this.observe(await client.replace({ ...lease, spec: this.claim(lease) }));
    return true;
  }

  private claim(lease: Lease | undefined): Lease['spec'] {
    const time = microTime(this.options.now?.() ?? Date.now());
    const ours = lease?.spec.holderIdentity === this.options.identity;
    return {
      holderIdentity: this.options.identity,
      leaseDurationSeconds: Math.ceil(this.timing.leaseMs / 1000),
      acquireTime: ours ? lease.spec.acquireTime : time,
      renewTime: time,
      leaseTransitions: (lease?.spec.leaseTransitions ?? 0) + (lease && !ours ? 1 : 0),
    };
  }

  private async release(): Promise<void> {
    const lease = await this.options.client.get();
    if (lease?.spec.holderIdentity !== this.options.identity) return;
    await this.options.client.replace({ ...lease, spec: { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: microTime(this.options.now?.() ?? Date.now()) } });
  }

  private observe(lease: Lease | undefined): void {
    this.lease = lease;
    const record = JSON.stringify(lease?.spec ?? null);
    if (this.observed?.record !== record) this.observed = { record, at: this.timers.now() };
  }

  private unchangedForMs(): number {
    return this.observed ? this.timers.now() - this.observed.at : 0;
  }

  private durationMs(lease: Lease): number {
    return (lease.spec.leaseDurationSeconds ?? this.timing.leaseMs / 1000) * 1000;
  }

  private heldByOther(): boolean {
    const holder = this.lease?.spec.holderIdentity;
    return holder !== undefined && holder !== '' && holder !== this.options.identity;
  }

  /** A standby looks every second, and exactly when the lease it sees runs out. */
  private untilNextLook(): number {
    const left = this.lease && this.heldByOther() ? this.durationMs(this.lease) - this.unchangedForMs() : this.timing.watchMs;
    return Math.max(10, Math.min(this.timing.watchMs, left));
  }
}

/** Gives up on work after a time; the work itself goes on unobserved. */
async function within<T>(limitMs: number, timers: Timers, work: Promise<T>): Promise<T> {
  if (limitMs === Number.POSITIVE_INFINITY) return work;
  let handle: unknown;
  const late = new Promise<never>((_, reject) => (handle = timers.set(() => reject(new Error('the API server does not answer in time')), limitMs)));
  try {
    return await Promise.race([work, late]);
  } finally {
    timers.clear(handle);
  }
}
