import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Findings } from './bench.js';
import { BENCHES } from './benches.js';
import { processEnvironment } from './env.js';
import { writeResults } from './harness/results.js';

const [wanted = processEnvironment()['BENCH'] ?? ''] = process.argv.slice(2);
const chosen = BENCHES.filter(({ name }) => wanted === '' || name === wanted);
if (chosen.length === 0) {
  process.stderr.write(`There is no bench "${wanted}". There are: ${BENCHES.map(({ name }) => name).join(', ')}\n`);
  process.exit(1);
}
// Ctrl-C ends by exit, so that whatever was started hears of it.
for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143]] as const) process.once(signal, () => process.exit(code));

for (const bench of chosen) {
  const began = performance.now();
  process.stdout.write(`\n${bench.name}: ${bench.title}\n`);
  const findings = await measure(bench);
  await writeResults(bench, findings, (performance.now() - began) / 1000);
  process.stdout.write(`${findings.table.map((row) => `  ${row.join(' | ')}`).join('\n')}\n`);
}

/** Runs one bench and takes down what it started. */
async function measure(bench: Bench): Promise<Findings> {
  const folder = await mkdtemp(join(tmpdir(), 'satellite-bench-'));
  const closers: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    return await bench.run({ folder, say: (text) => void process.stdout.write(`  ${text}\n`), atEnd: (close) => void closers.push(close) });
  } finally {
    for (const close of closers.reverse()) await close();
  }
}
