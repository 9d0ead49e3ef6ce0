import { randomBytes } from 'node:crypto';
import { query } from '@satellite/kit/testing';
import type { Bench } from '../bench.js';
import { figure, median, ratio } from '../harness/figures.js';
import { BareStore, BenchDrive } from '../harness/drive.js';

const MEGABYTE = 1_000_000;
const BIG = { megabytes: 100, rounds: 5, warmUp: 2 };
const SMALL = { count: 1000, bytes: 10_000, parallel: 8, rounds: 3 };
const LISTED = 100_000;

/** What files cost that go through Drive, and what a full folder costs. */
export const drive: Bench = {
  name: 'drive',
  title: 'Drive: files up and down, and a folder with 100,000 files',
  async run(tools) {
    const bench = await BenchDrive.start(tools);
    const store = await BareStore.start(tools);
    const rows: string[][] = [];
    tools.say(`${BIG.rounds} rounds of ${BIG.megabytes} MB`);
    const idle = bench.server.usage().rssMb;
    rows.push(...(await bigFiles(bench, store)));
    const grown = bench.server.usage().peakMb - idle;
    tools.say(`${SMALL.rounds} rounds of ${SMALL.count} files of ${SMALL.bytes / 1000} kB, ${SMALL.parallel} at a time`);
    rows.push(...(await smallFiles(bench, store)));
    tools.say(`listing a folder of ${figure(LISTED)} files`);
    rows.push(...(await listing(bench)));
    return {
      table: [['what', 'how', 'speed against the raw store', 'figure'], ...rows],
      notes: [
        `Medians of interleaved rounds. The raw store is the same folder store (SHA-256, fsync, rename) behind a bare HTTP server, without multipart, database, tokens or Shell. The load generator shares the machine with Drive, the Shell and PostgreSQL.`,
        `Drive's process grew by at most ${figure(grown, ' MB')} over its idle size while 100 MB files went through it.`,
        'Every upload asks the Shell for permission and counts its bytes against the plan in one call, and is durable in the store and in PostgreSQL before it is answered.',
      ],
    };
  },
};

/** Seconds that something takes. */
async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

async function bigFiles(bench: BenchDrive, store: BareStore): Promise<string[][]> {
  const chunk = randomBytes(MEGABYTE);
  const took = { up: [] as number[], down: [] as number[], rawUp: [] as number[], rawDown: [] as number[] };
  for (let round = 0; round < BIG.warmUp + BIG.rounds; round += 1) {
    const key = `bench/${round}`;
    let id = '';
    const times = {
      rawUp: await seconds(() => store.put(key, chunk, BIG.megabytes)),
      up: await seconds(async () => (id = await bench.upload(`big-${round}`, chunk, BIG.megabytes))),
      rawDown: await seconds(() => store.get(key)),
      down: await seconds(() => bench.download(id)),
    };
    if (round >= BIG.warmUp) for (const name of ['up', 'down', 'rawUp', 'rawDown'] as const) took[name].push(times[name]);
  }
  const speed = (name: keyof typeof took): number => BIG.megabytes / median(took[name]);
  return [
    ['100 MB up', 'Drive', ratio(speed('up'), speed('rawUp')), figure(speed('up'), ' MB/s')], ['100 MB up', 'raw store', '1.00×', figure(speed('rawUp'), ' MB/s')],
    ['100 MB down', 'Drive', ratio(speed('down'), speed('rawDown')), figure(speed('down'), ' MB/s')], ['100 MB down', 'raw store', '1.00×', figure(speed('rawDown'), ' MB/s')],
  ];
}

/** Calls the work for 0 to count - 1, so many at a time. */
async function inParallel(count: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  await Promise.all(Array.from({ length: SMALL.parallel }, async () => {
    while (next < count) await work(next++);
  }));
}

async function smallFiles(bench: BenchDrive, store: BareStore): Promise<string[][]> {
  const content = randomBytes(SMALL.bytes);
  const took = { up: [] as number[], down: [] as number[], rawUp: [] as number[], rawDown: [] as number[] };
  for (let round = 0; round < SMALL.rounds; round += 1) {
    const ids: string[] = [];
    took.rawUp.push(await seconds(() => inParallel(SMALL.count, (n) => store.put(`small/${round}-${n}`, content, 1))));
    took.up.push(await seconds(() => inParallel(SMALL.count, async (n) => (ids[n] = await bench.upload(`small-${round}-${n}`, content, 1)))));
    took.rawDown.push(await seconds(() => inParallel(SMALL.count, (n) => store.get(`small/${round}-${n}`))));
    took.down.push(await seconds(() => inParallel(SMALL.count, (n) => bench.download(ids[n] ?? ''))));
  }
  const speed = (name: keyof typeof took): number => SMALL.count / median(took[name]);
  const what = `${figure(SMALL.count)} × 10 kB`;
  return [
    [`${what} up`, 'Drive', ratio(speed('up'), speed('rawUp')), figure(speed('up'), ' files/s')], [`${what} up`, 'raw store', '1.00×', figure(speed('rawUp'), ' files/s')],
    [`${what} down`, 'Drive', ratio(speed('down'), speed('rawDown')), figure(speed('down'), ' files/s')], [`${what} down`, 'raw store', '1.00×', figure(speed('rawDown'), ' files/s')],
  ];
}

/** The first, a middle and the last page of a full folder. */
async function listing(bench: BenchDrive): Promise<string[][]> {
  await query(bench.databaseUrl, `insert into files (id, organization_id, folder_id, name, size, content_type, checksum, object_key, created_by, counted, created_at, updated_at)
    select gen_random_uuid(), f.organization_id, null, 'listed-' || lpad(n::text, 6, '0'), 1, f.content_type, f.checksum, 'listed/' || n, f.created_by, false, now(), now() from (select * from files limit 1) f, generate_series(1, ${LISTED}) n`);
  await query(bench.databaseUrl, 'vacuum analyze files');
  const page = async (offset: number): Promise<number> => {
    const times: number[] = [];
    for (let n = 0; n < 20; n += 1) times.push(1000 * (await seconds(() => bench.get(`/api/files?limit=50&offset=${offset}`))));
    return median(times);
  };
  const offsets = [0, LISTED / 2, LISTED - 50];
  const rows: string[][] = [];
  for (const offset of offsets) rows.push([`50 of ${figure(LISTED)} files`, `from ${figure(offset)}`, '–', figure(await page(offset), ' ms')]);
  return rows;
}
