import { ManualTimers, settle } from '../../test/support/manual-timers.js';
import { silentLogger } from '../../test/support/silent-logger.js';
import { ApiStatusError } from './api-error.js';
import { LeaderElector, type Lease, type LeaseClient } from './leader-election.js';

/** A lease as an API server keeps it: optimistic locking, microsecond times only. */
class LeaseServer implements LeaseClient {
  lease: Lease | undefined;
  down = false;
  private version = 0;

  async get(): Promise<Lease | undefined> {
    this.failIfDown();
    return this.lease;
  }

  async create(spec: Lease['spec']): Promise<Lease> {
    this.failIfDown();
    if (this.lease) throw new ApiStatusError(409, 'AlreadyExists', 'exists');
    return this.store({ metadata: { name: 'lease', namespace: 'default' }, spec });
  }

  async replace(lease: Lease): Promise<Lease> {
    this.failIfDown();
    if (lease.metadata.resourceVersion !== this.lease?.metadata.resourceVersion) throw new ApiStatusError(409, 'Conflict', 'changed');
    return this.store(lease);
  }

  private store(lease: Lease): Lease {
    for (const time of [lease.spec.acquireTime, lease.spec.renewTime]) if (time !== undefined && !/\.\d{6}Z$/.test(time)) throw new ApiStatusError(400, 'BadRequest', 'not a MicroTime');
    this.lease = { ...lease, metadata: { ...lease.metadata, resourceVersion: String(++this.version) } };
    return this.lease;
  }

  private failIfDown(): void {
    if (this.down) throw new Error('ECONNREFUSED');
  }
}

describe('LeaderElector', () => {
  let timers: ManualTimers;
  let server: LeaseServer;

  beforeEach(() => {
    timers = new ManualTimers();
    server = new LeaseServer();
  });

  /** @param skewMs how wrong the machine's clock is */
  const candidate = (identity: string, skewMs = 0) => {
    const elector = new LeaderElector({ client: server, identity, logger: silentLogger, timers, now: () => 1_800_000_000_000 + timers.now() + skewMs });
    const state = { led: false, lost: false };
    void elector.lost.then(() => (state.lost = true));
    void elector.start(() => (state.led = true));
    return { elector, state };
  };

  it('lets one lead, whatever the clocks say', async () => {
    const all = [candidate('a', -3_600_000), candidate('b', 3_600_000), candidate('c')];
    await timers.advance(60_000);
    expect(all.filter(({ state }) => state.led)).toHaveLength(1);
    expect(all.filter(({ elector }) => elector.isLeader())).toHaveLength(1);
    await Promise.all(all.map(({ elector }) => elector.stop()));
  });

  it('takes over within 17 s from a leader that died', async () => {
    const dead = candidate('dead');
    await timers.advance(10_000);
    const heir = candidate('heir');
    await timers.advance(1999);
    // The process is gone: nothing renews any more, and nothing is given back.
    (dead.elector as unknown as { stopping: AbortController }).stopping.abort();
    const diedAt = timers.now();
    while (!heir.state.led) await timers.advance(100);
    expect(timers.now() - diedAt).toBeLessThanOrEqual(17_000);
    expect(timers.now() - diedAt).toBeGreaterThan(10_000);
    expect(server.lease?.spec).toMatchObject({ holderIdentity: 'heir', leaseTransitions: 1 });
    await heir.elector.stop();
  });

  it('takes over at once from a leader that stopped', async () => {
    const first = candidate('first');
    await timers.advance(5000);
    const second = candidate('second');
    await timers.advance(500);
    await first.elector.stop();
    await timers.advance(1100);
    expect(second.state.led).toBe(true);
    await second.elector.stop();
  });

  it('gives up before anyone else may lead when the API server is away', async () => {
    const leader = candidate('leader');
    await timers.advance(5000);
    server.down = true;
    const downAt = timers.now();
    while (!leader.state.lost) await timers.advance(500);
    expect(timers.now() - downAt).toBeLessThan(15_000);
    expect(leader.elector.isLeader()).toBe(false);
  });

  it('survives an API server that is away for a moment', async () => {
    const leader = candidate('leader');
    await timers.advance(5000);
    server.down = true;
    await timers.advance(6000);
    server.down = false;
    await timers.advance(30_000);
    expect(leader.state.lost).toBe(false);
    await leader.elector.stop();
  });

  it('ends when somebody else holds the lease', async () => {
    const leader = candidate('leader');
    await settle();
    server.lease = { ...(server.lease as Lease), spec: { ...(server.lease as Lease).spec, holderIdentity: 'thief' } };
    await timers.advance(2100);
    expect(leader.state.lost).toBe(true);
  });

  it('is healthy before it begins, as a standby, while the API server is away, and after it has lost', async () => {
    const idle = new LeaderElector({ client: server, identity: 'idle', logger: silentLogger, timers });
    const leader = candidate('leader');
    await timers.advance(5000);
    const standby = candidate('standby');
    await timers.advance(300_000);
    for (const { elector } of [leader, standby, { elector: idle }]) expect(elector.unhealthy()).toBeUndefined();
    server.down = true;
    await timers.advance(300_000);
    expect(leader.state.lost).toBe(true);
    for (const { elector } of [leader, standby]) expect(elector.unhealthy()).toBeUndefined();
    await standby.elector.stop();
  });

  it('is unhealthy when it hangs', async () => {
    server.get = () => new Promise(() => undefined);
    const { elector } = candidate('stuck');
    await timers.advance(59_000);
    expect(elector.unhealthy()).toBeUndefined();
    await timers.advance(2000);
    expect(elector.unhealthy()).toContain('the election has not moved');
  });
});
