import { randomUUID } from 'node:crypto';
import { auditVerification, reportVerification } from '../src/modules/audit/index.js';
import { openDatabase } from '../src/shell.js';
import { entriesIn } from './support/audit.js';
import { runJob } from './support/jobs.js';
import { personIn, type Person } from './support/people.js';
import { useShell, type TestShell } from './support/shell.js';

const KEY = Buffer.alloc(32, 7); // of the test Shells
const PLATFORM = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const shell = useShell({ APP_ENV_AUDIT_RETENTION_DAYS: '30' });

/** What the command prints, and its exit code. */
async function verify(of: TestShell = shell(), key = KEY): Promise<{ code: number; lines: string[]; broken: string[] }> {
  const lines: string[] = [];
  const code = await reportVerification(auditVerification(of.shell.container.db, key), (line) => lines.push(line));
  return { code, lines, broken: lines.filter((line) => line.startsWith('broken: ')) };
}

let mine: string;
let admin: Person;
let theirs: string;

/** An organization with some entries; answers its administrator. */
async function busy(count: number): Promise<Person> {
  const person = await personIn(shell(), (await shell().organization()).id, { systemRole: 'ADMIN' });
  for (let n = 0; n < count; n += 1) await shell().as(person.token).put('/api/auth/me/preferences').send({ [`p${n}`]: n }).expect(200);
  return person;
}

beforeAll(async () => {
  await runJob(shell(), 'audit.anchors'); // no earlier run of it is left
  await shell().query(`update scheduled_jobs set slot = '2999-01-01'`); // and no schedule writes while a test changes tables behind the Shell's back
  admin = await busy(6);
  mine = admin.organizationId;
  theirs = (await busy(3)).organizationId;
});

/** Does to the tables what the triggers would not let happen, looks what verifying says of it, and puts everything back. */
async function tampered(statements: readonly [sql: string, params?: readonly unknown[]][]): Promise<string[]> {
  const tables = ['audit_entries', 'audit_chains'];
  for (const table of tables) await shell().query(`create table saved_${table} as select * from ${table}`);
  const free = (on: boolean): Promise<unknown> => Promise.all(tables.map((table) => shell().query(`alter table ${table} ${on ? 'disable' : 'enable'} trigger user`)));
  await free(true);
  try {
    for (const [sql, params] of statements) await shell().query(sql, params);
    const { code, broken } = await verify();
    expect(code).toBe(1);
    return broken;
  } finally {
    for (const table of tables) await shell().query(`truncate ${table}`);
    for (const table of tables) await shell().query(`insert into ${table} select * from saved_${table}`);
    for (const table of tables) await shell().query(`drop table saved_${table}`);
    await free(false);
  }
}

afterEach(async () => {
  expect((await verify()).broken).toEqual([]);
});

describe('an untouched trail', () => {
  it('holds, and says the end of every chain', async () => {
    const { code, lines } = await verify();
    expect(code).toBe(0);
    expect(lines.at(-1)).toMatch(/^All \d+ chains hold\.$/);
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^holds: ${mine} 6 entries up to 6 [0-9a-f]{64}$`)));
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^holds: ${PLATFORM} \\d+ entries`)));
  });

  it('holds while entries are being written', async () => {
    const writing = Promise.all(Array.from({ length: 20 }, (_, n) => shell().as(admin.token).put('/api/auth/me/preferences').send({ n }).expect(200)));
    for (let looks = 0; looks < 5; looks += 1) expect((await verify()).code).toBe(0);
    await writing;
  });

  it('holds when two processes write to one chain in turns, and at once', async () => {
    const person = await busy(0);
    const other = await shell().second();
    for (let n = 0; n < 6; n += 1) await (n % 2 === 0 ? shell() : other).as(person.token).put('/api/auth/me/preferences').send({ n }).expect(200);
    await Promise.all(Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? shell() : other).as(person.token).put('/api/auth/me/preferences').send({ n }).expect(200)));
    await other.stop();
    expect((await entriesIn(shell(), person.organizationId)).map(({ seq }) => seq)).toEqual(Array.from({ length: 18 }, (_, n) => n + 1));
    expect((await verify()).code).toBe(0);
  });

  it('costs a change one statement', async () => {
    const person = await busy(1);
    const spied = jest.spyOn(shell().shell.container.db, 'query');
    await shell().as(person.token).put('/api/auth/me/preferences').send({ again: 1 }).expect(200);
    const statements = spied.mock.calls.filter(([sql, params]) => sql.includes('audit_') && JSON.stringify(params).includes(person.organizationId));
    spied.mockRestore();
    expect(statements).toHaveLength(1);
  });

  it('is read in pages: a long chain holds as well', async () => {
    const person = await busy(1);
    const { db, audit } = shell().shell.container;
    await db.run(async () => {
      for (let n = 0; n < 1234; n += 1) await audit.record({ action: 'users.update', organizationId: person.organizationId, target: { type: 'user', id: `${n}` } });
    });
    expect((await verify()).lines).toContainEqual(expect.stringContaining(`holds: ${person.organizationId} 1235 entries up to 1235`));
  });

  it('cannot be changed by mistake', async () => {
    for (const sql of [`update audit_entries set action = 'x'`, 'delete from audit_entries', 'truncate audit_entries', 'delete from audit_chains', 'truncate audit_chains']) {
      await expect(shell().query(sql)).rejects.toThrow(/never changed/);
    }
  });

  it('does not hold under another key', async () => {
    const { code, broken } = await verify(shell(), Buffer.alloc(32, 8));
    expect(code).toBe(1);
    expect(broken[0]).toMatch(/another key/);
  });
});

describe('verifying finds', () => {
  const FIELDS: readonly [field: string, value: string][] = [
    ['at', `'2020-01-01'`], ['actor_kind', `'system'`], ['actor_id', `'somebody else'`], ['actor_name', 'null'], ['act', `'client:x'`], ['address', `'10.0.0.1'`], ['request_id', `'x'`], ['action', `'users.read'`], ['target_type', `'role'`],
    ['target_id', `'x'`], ['outcome', `'refused'`], ['reason', `'because'`], ['occurrences', '2'], ['before', `'{"preferences":["p9"]}'`], ['after', 'null'], ['id', 'gen_random_uuid()'], ['organization_id', 'null'], ['hash', `repeat('0', 64)`],
  ];
  it.each(FIELDS)('a changed %s', async (field, value) => {
    expect(await tampered([[`update audit_entries set ${field} = ${value} where chain_id = ? and seq = 3`, [mine]]])).toEqual([`broken: ${mine} entry 3: the entry was changed, moved or put there`]);
  });

  it('every column of an entry', async () => {
    const columns = await shell().query<{ name: string }>(`select column_name as name from information_schema.columns where table_name = 'audit_entries'`);
    expect(columns.map(({ name }) => name).sort()).toEqual([...FIELDS.map(([field]) => field), 'chain_id', 'seq'].sort());
  });

  it('an entry that is gone', async () => {
    expect(await tampered([['delete from audit_entries where chain_id = ? and seq = 3', [mine]]])).toEqual([`broken: ${mine} entry 3: the entry is gone`]);
  });

  it('an entry that is gone, with the numbers closed up behind it', async () => {
    const broken = await tampered([['delete from audit_entries where chain_id = ? and seq = 3', [mine]], ['update audit_entries set seq = -seq where chain_id = ? and seq > 3', [mine]], ['update audit_entries set seq = -seq - 1 where chain_id = ? and seq < 0', [mine]]]);
    expect(broken).toEqual([`broken: ${mine} entry 3: the entry was changed, moved or put there`]);
  });

  it('two entries that have changed places', async () => {
    const swap = 'update audit_entries set seq = case seq when 2 then 4 when 4 then 2 when -2 then 4 when -4 then 2 end where chain_id = ? and seq = any(?::bigint[])';
    const broken = await tampered([['update audit_entries set seq = -seq where chain_id = ? and seq in (2, 4)', [mine]], [swap, [mine, [-2, -4]]]]);
    expect(broken).toEqual([`broken: ${mine} entry 2: the entry was changed, moved or put there`]);
  });

  it('an end that was cut off, also when the chain says that it was never there', async () => {
    const cut = ['delete from audit_entries where chain_id = ? and seq >= 5', [mine]] as const;
    expect(await tampered([[...cut]])).toEqual([expect.stringMatching(new RegExp(`^broken: ${mine} entry 5: the end of the chain, up to entry \\d+, is gone$`))]);
    const rewind = [`update audit_chains c set seq = 4, hash = (select hash from audit_entries where chain_id = c.id and seq = 4) where id = ?`, [mine]] as const;
    expect(await tampered([[...cut], [...rewind]])).toEqual([expect.stringMatching(`broken: ${mine} the row that says where the chain begins and ends was changed`)]);
  });

  it('a beginning that was cut off as if by age', async () => {
    const broken = await tampered([['delete from audit_entries where chain_id = ? and seq <= 2', [mine]], [`update audit_chains c set base_seq = 2, base_hash = (select hash from saved_audit_entries where chain_id = c.id and seq = 2) where id = ?`, [mine]]]);
    expect(broken).toEqual([expect.stringMatching(`broken: ${mine} the row that says`)]);
  });

  it('an entry that was put in between or at the end', async () => {
    const copy = (seq: string): string => `insert into audit_entries select chain_id, ${seq}, gen_random_uuid(), organization_id, at, actor_kind, actor_id, actor_name, act, address, request_id, action, target_type, target_id, outcome, reason, occurrences, before, after, hash from audit_entries where chain_id = ? and seq = 2`;
    expect(await tampered([[copy('(select max(seq) + 1 from audit_entries m where m.chain_id = audit_entries.chain_id)'), [mine]]])).toEqual([expect.stringMatching(new RegExp(`^broken: ${mine} entry \\d+: the entry was not written by the Shell$`))]);
    const shifted = await tampered([['update audit_entries set seq = -seq where chain_id = ? and seq > 3', [mine]], ['update audit_entries set seq = -seq + 1 where chain_id = ? and seq < 0', [mine]], [copy('4'), [mine]]]);
    expect(shifted).toEqual([`broken: ${mine} entry 4: the entry was changed, moved or put there`]);
  });

  it('a chain that has disappeared, with or without its row', async () => {
    const entries = ['delete from audit_entries where chain_id = ?', [theirs]] as const;
    const row = ['delete from audit_chains where id = ?', [theirs]] as const;
    expect(await tampered([[...entries]])).toEqual([`broken: ${theirs} entry 1: the end of the chain, up to entry 3, is gone`]);
    expect(await tampered([[...entries], [...row]])).toEqual([expect.stringMatching(new RegExp(`^broken: ${PLATFORM} there are \\d+ chains, and there were \\d+$`))]);
    expect(await tampered([[...row]])).toEqual([`broken: ${theirs} the chain has entries, but its row is gone`, expect.stringMatching(`broken: ${PLATFORM} there are`)]);
  });

  it('a platform without a chain, and one whose count was changed', async () => {
    expect(await tampered([['delete from audit_entries where chain_id = ?', [PLATFORM]], ['delete from audit_chains where id = ?', [PLATFORM]]])).toEqual([`broken: ${PLATFORM} the platform's chain is gone`]);
    expect(await tampered([['update audit_chains set chains = chains - 1 where id = ?', [PLATFORM]]])).toContainEqual(expect.stringMatching(`broken: ${PLATFORM} the row that says`));
  });

  it('a chain that was set back together with its own row, once the platform\'s chain knows of it', async () => {
    const victim = await busy(3);
    const chain = victim.organizationId;
    await shell().query('create table earlier as select * from audit_chains where id = ?', [chain]);
    await shell().as(victim.token).put('/api/auth/me/preferences').send({ trace: 1 }).expect(200);
    await runJob(shell(), 'audit.anchors');
    const set = 'seq = e.seq, hash = e.hash, seal = e.seal';
    const back: [string, unknown[]?][] = [['delete from audit_entries where chain_id = ? and seq > 3', [chain]], [`update audit_chains c set ${set} from earlier e where c.id = e.id`]];
    expect(await tampered(back)).toEqual([`broken: ${chain} entry 4: the chain was set back: the platform's chain knows its entry 4`]);
    await shell().query('drop table earlier');
  });

  it('what was changed before, also after the Shell has written more', async () => {
    const victim = await busy(3);
    const [row] = await shell().query('select * from audit_chains where id = ?', [victim.organizationId]);
    await shell().query('update audit_chains set seq = 9 where id = ?', [victim.organizationId]);
    const restarted = await shell().second(); // which does not know from before where the chain ends
    await restarted.as(victim.token).put('/api/auth/me/preferences').send({ more: 1 }).expect(200); // nobody is locked out by it
    await restarted.as(victim.token).put('/api/auth/me/preferences').send({ more: 2 }).expect(200);
    await restarted.stop();
    expect((await verify()).broken).toEqual([expect.stringMatching(`broken: ${victim.organizationId} the row that says where the chain begins and ends was changed`)]);
    await shell().query('alter table audit_entries disable trigger user');
    await shell().query('delete from audit_entries where chain_id = ? and seq > 3', [victim.organizationId]);
    await shell().query('alter table audit_entries enable trigger user');
    await shell().query('update audit_chains set seq = ?, hash = ?, seal = ? where id = ?', [...['seq', 'hash', 'seal'].map((field) => (row as Record<string, unknown> | undefined)?.[field]), victim.organizationId]);
  });

  it('the first broken entry of each chain', async () => {
    const broken = await tampered([[`update audit_entries set reason = 'x' where chain_id = any(?::uuid[]) and seq > 1`, [[mine, theirs]]]]);
    expect(broken.sort()).toEqual([mine, theirs].map((id) => `broken: ${id} entry 2: the entry was changed, moved or put there`).sort());
  });
});

describe('entries older than the deployment keeps them', () => {
  it('go, the oldest first, and what is left holds from a sealed checkpoint', async () => {
    const person = await busy(5);
    const chain = person.organizationId;
    const { db, audit } = shell().shell.container;
    // entries of another time are written by the Shell itself: nothing else could seal them
    const past = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 40 * 86_400_000);
    await db.run(() => audit.record({ action: 'users.update', organizationId: theirs, target: { type: 'user', id: 'old' } }));
    const old = (await busy(0)).organizationId;
    for (let n = 0; n < 3; n += 1) await db.run(() => audit.record({ action: 'users.update', organizationId: old, target: { type: 'user', id: `${n}` } }));
    past.mockRestore();
    await db.run(() => audit.record({ action: 'users.update', organizationId: old, target: { type: 'user', id: 'new' } }));

    await runJob(shell(), 'audit.retention');
    expect(await entriesIn(shell(), old)).toMatchObject([{ seq: 4, targetId: 'new' }, { seq: 5, action: 'audit.prune', actorKind: 'system', after: { removedUpTo: 3 } }]);
    expect((await entriesIn(shell(), theirs)).map(({ targetId }) => targetId)).toContain('old'); // younger ones come before it
    expect(await entriesIn(shell(), chain)).toHaveLength(5);
    const { code, lines } = await verify();
    expect(code).toBe(0);
    expect(lines).toContainEqual(expect.stringContaining(`holds: ${old} 2 entries up to 5`));
    await runJob(shell(), 'audit.retention');
    expect(await entriesIn(shell(), old)).toHaveLength(2);
  });

  it('do not take the chain along: it goes on from where it was', async () => {
    const person = await busy(2);
    const past = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 40 * 86_400_000);
    await runJob(shell(), 'audit.retention');
    past.mockRestore();
    expect(await entriesIn(shell(), person.organizationId)).toMatchObject([{ seq: 3, action: 'audit.prune' }]);
    await shell().as(person.token).put('/api/auth/me/preferences').send({ a: randomUUID() }).expect(200);
    expect(await entriesIn(shell(), person.organizationId)).toMatchObject([{ seq: 3 }, { seq: 4, action: 'auth.set_preferences' }]);
    expect((await verify()).code).toBe(0);
  });

  it('stay for ever unless somebody says how long', async () => {
    const forever = await shell().second({ APP_ENV_AUDIT_RETENTION_DAYS: '0' });
    expect(forever.shell.container.scheduler.names).not.toContain('audit.retention');
    expect(shell().shell.container.scheduler.names).toContain('audit.retention');
    await forever.stop();
  });
});

describe('the command', () => {
  it('works on a connection of its own beside a Shell that runs', async () => {
    const db = openDatabase(shell().database.url);
    const lines: string[] = [];
    expect(await reportVerification(auditVerification(db, KEY), (line) => lines.push(line))).toBe(0);
    expect(lines.at(-1)).toMatch(/chains hold/);
    await db.close();
  });
});
