import { createLogger } from '@satellite/kit/telemetry';
import type { AuditActor } from './audit-scope.js';
import type { AuditTrail, Refusal } from './audit-trail.js';
import { RefusalLog } from './refusal-log.js';

const ANN: AuditActor = { kind: 'user', id: 'ann', organizationId: 'acme' };
const STRANGER: AuditActor = { kind: 'anonymous', id: null };

/** A log whose clock and database the test has in hand. */
function bench() {
  const written: Refusal[] = [];
  const lines: string[] = [];
  const state = { now: 1_000_000, away: false, tries: 0 };
  const recordRefusals = (refusals: readonly Refusal[]): Promise<void> => {
    state.tries += 1;
    if (state.away) return Promise.reject(new Error('the database is away'));
    written.push(...refusals);
    return Promise.resolve();
  };
  const log = new RefusalLog({ recordRefusals } as unknown as AuditTrail, createLogger({ service: 'test', destination: { write: (line: string) => void lines.push(line) } }), { now: () => state.now });
  const note = (actor: AuditActor, over: Partial<Refusal> = {}): void =>
    log.note({ actor, address: '192.0.2.1', requestId: 'r', subject: undefined, action: 'users.update', organizationId: actor.organizationId ?? null, target: { type: 'user', id: 'x' }, reason: 'users.not_found', ...over });
  const total = (): number => written.reduce((sum, { occurrences }) => sum + occurrences, 0);
  return { log, note, written, lines, state, total };
}

describe('a flood of refusals', () => {
  it('of one person is written one by one at first, then as one number', async () => {
    const { log, note, written, state, total } = bench();
    for (let n = 0; n < 1000; n += 1) note(ANN, { target: { type: 'user', id: `${n}` } });
    await log.flush();
    expect(written).toHaveLength(30);
    expect(written[29]).toMatchObject({ target: { id: '29' }, occurrences: 1 });
    state.now += 61_000;
    await log.flush();
    expect(written).toHaveLength(31);
    expect(written[30]).toMatchObject({ actor: ANN, organizationId: 'acme', reason: 'users.not_found', occurrences: 970, target: undefined, requestId: undefined, address: '192.0.2.1' });
    expect(total()).toBe(1000);
  });

  it('keeps reasons, actions and people apart, and does not silence anybody else', async () => {
    const { log, note, written, state } = bench();
    for (let n = 0; n < 100; n += 1) note(ANN, { reason: n % 2 === 0 ? 'a' : 'b' });
    note({ ...ANN, id: 'bo' });
    note(STRANGER);
    await log.flush();
    expect(written.slice(30)).toMatchObject([{ actor: { id: 'bo' } }, { actor: { kind: 'anonymous' } }]);
    state.now += 61_000;
    await log.flush();
    expect(written.slice(32)).toMatchObject([{ reason: 'a', occurrences: 35 }, { reason: 'b', occurrences: 35 }]);
  });

  it('of strangers cannot grow by taking more addresses', async () => {
    const { log, note, written, state, total } = bench();
    for (let n = 0; n < 5000; n += 1) note(STRANGER, { address: `10.${n % 200}.${Math.floor(n / 200)}.1` });
    await log.flush();
    expect(written).toHaveLength(120);
    state.now += 61_000;
    await log.flush();
    expect(written.length).toBeLessThan(250);
    expect(written.at(-1)).toMatchObject({ actor: STRANGER, address: undefined });
    expect(total()).toBe(5000);
  });

  it('of one IPv6 network is one stranger\'s', async () => {
    const { log, note, written } = bench();
    for (let n = 0; n < 100; n += 1) note(STRANGER, { address: `2001:db8:1:1::${n.toString(16)}` });
    await log.flush();
    expect(written).toHaveLength(30);
  });

  it('ends with its minute', async () => {
    const { log, note, written, state } = bench();
    for (let n = 0; n < 31; n += 1) note(ANN);
    state.now += 61_000;
    note(ANN);
    await log.flush();
    expect(written.map(({ occurrences }) => occurrences)).toEqual(Array(32).fill(1));
  });
});

describe('refusals that cannot be written', () => {
  it('wait for the database', async () => {
    const { log, note, written, state, lines } = bench();
    state.away = true;
    note(ANN);
    await log.flush();
    await log.flush();
    expect(written).toEqual([]);
    expect(lines.join('')).toContain('cannot be written into the audit trail yet');
    state.away = false;
    await log.flush();
    expect(written).toHaveLength(1);
  });

  it('do not fill the memory nor besiege the database, and the log says how many were lost', async () => {
    const { log, note, state, lines } = bench();
    state.away = true;
    for (let n = 0; n < 6000; n += 1) note({ ...ANN, id: `u${n}` });
    await log.stop();
    expect(state.tries).toBeLessThan(10);
    expect(lines.at(-1)).toContain('"lost":6000');
    expect(lines.at(-1)).toContain('"level":"error"');
  });
});

describe('when the process stops', () => {
  it('everything is written, also what was only counted', async () => {
    const { log, note, written, total } = bench();
    log.start();
    for (let n = 0; n < 500; n += 1) note(ANN);
    for (let n = 0; n < 500; n += 1) note(STRANGER, { address: `10.0.${n}.1` });
    await log.stop();
    expect(total()).toBe(1000);
    expect(written.length).toBeLessThan(200);
  });
});
