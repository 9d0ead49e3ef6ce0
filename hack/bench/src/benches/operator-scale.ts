import type { Bench, Findings } from '../bench.js';
import { processEnvironment } from '../env.js';
import { figure, median, quantile, ratio } from '../harness/figures.js';
import { openOperatorScene, REGISTRY_DELAY_MS, WORKERS, type OperatorScene } from '../harness/operator-scene.js';
import type { ServerProcess } from '../harness/server-process.js';

const SMALL = 1000;
const LARGE = Number(processEnvironment()['BENCH_OBJECTS'] ?? 10_000);
const SINGLES = 40;
const HAND_OVERS = 3;
const METRICS_PAUSE_S = 3;

/** What the operator needs until apps are Ready: many at once, one alone, one among many, and when another one takes over. */
export const operatorScale: Bench = {
  name: 'operator-scale',
  title: `Operator: time to Ready with a real kube-apiserver and the real Shell ${REGISTRY_DELAY_MS} ms away, ${WORKERS} workers`,
  run: async (tools) => measure(await openOperatorScene(tools)),
};

const names = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
const elapsed = (since: number): number => (performance.now() - since) / 1000;

async function measure(scene: OperatorScene): Promise<Findings> {
  const table: string[][] = [['what', 'against the API server alone', 'time', 'rate', 'CPU an object: operator, Shell, API server', 'operator RSS now / peak']];
  const aloneSeconds = await createAlone(scene);
  const first = await scene.startOperator();
  table.push(await many(scene, first, SMALL, aloneSeconds));
  table.push(...(await singlesWhenIdle(scene, first)));
  await scene.objects.deleteAll();
  await first.stop();
  const second = await scene.startOperator();
  table.push(await many(scene, second, LARGE, aloneSeconds * (LARGE / SMALL)));
  await second.stop();
  table.push(...(await resync(scene)));
  table.push(...(await handOvers(scene)));
  return {
    table,
    notes: [
      `The API server alone: ${SMALL} objects created at the same parallelism (20) while no operator runs; for ${LARGE} the same rate. Ready: seen Ready=True for its generation on a watch, measured from the first create.`,
      'Every app has a front-end and an API that are probed, an entry in PostgreSQL (durable) and in Redis, a finalizer, a status and an event. All processes share the machine; CPU is that of the processes themselves, without etcd, PostgreSQL and Redis.',
      'Resync: the operator starts anew on all objects; registry writes are counted by the registry revision, those of the new objects among them not counted. A new object while it drains is created after the other until nothing is left to check.',
      'Hand-over: two operators with a lease; the time from the signal until an object that is created right after it is Ready by the other one.',
    ],
  };
}

async function createAlone({ tools, objects, spec }: OperatorScene): Promise<number> {
  tools.say(`creating ${SMALL} objects without an operator`);
  const began = performance.now();
  await objects.create(names('alone', SMALL), spec);
  const seconds = elapsed(began);
  await objects.deleteAll();
  return seconds;
}

/** All at once, from the first create until the last is Ready. */
async function many({ tools, objects, spec, cpu }: OperatorScene, operator: ServerProcess, size: number, alone: number): Promise<string[]> {
  const all = names(`app-${size}`, size);
  const before = cpu(operator);
  const began = performance.now();
  const ended = progress(tools.say, () => `${objects.countReady(all)} of ${size} new objects Ready`);
  await Promise.all([objects.create(all, spec), objects.allReady(all)]);
  ended();
  const seconds = elapsed(began);
  const after = cpu(operator);
  const shares = (['operator', 'Shell', 'API server'] as const).map((who) => figure((after[who] - before[who]) / size)).join(', ');
  return [`${size} new objects, all Ready`, ratio(seconds, alone), figure(seconds, ' s'), figure(size / seconds, '/s'), `${shares} ms`, memory(operator)];
}

/** One new object after the other while the operator has nothing else to do. */
async function singlesWhenIdle(scene: OperatorScene, operator: ServerProcess): Promise<string[][]> {
  scene.tools.say(`${SINGLES} objects one after the other`);
  const singles: Single[] = [];
  for (const name of names('single', SINGLES)) singles.push(await one(scene, name));
  return singleRows('one new object while idle', singles, operator);
}

interface Single {
  readonly createdMs: number;
  readonly readyMs: number;
}

async function one({ objects, spec }: OperatorScene, name: string): Promise<Single> {
  const began = performance.now();
  await objects.create([name], spec);
  const createdMs = performance.now() - began;
  await objects.allReady([name]);
  return { createdMs, readyMs: (objects.readyAt.get(name) ?? 0) - began };
}

function singleRows(what: string, singles: readonly Single[], operator: ServerProcess): string[][] {
  const row = (name: string, pick: (values: readonly number[]) => number): string[] => {
    const ready = pick(singles.map(({ readyMs }) => readyMs));
    return [`${what}, ${name} of ${singles.length}`, ratio(ready, pick(singles.map(({ createdMs }) => createdMs))), figure(ready, ' ms'), '', '', memory(operator)];
  };
  return [row('median', median), row('p95', (values) => quantile(values, 0.95))];
}

/** A new operator on all objects, of which none has changed; new ones come meanwhile. */
async function resync(scene: OperatorScene): Promise<string[][]> {
  const { tools, shell, objects, startOperator, cpu } = scene;
  const count = objects.present.size;
  const writes = await shell.writes();
  const versions = new Map(objects.present);
  const began = performance.now();
  const operator = await startOperator();
  const before = cpu(operator);
  const singles: Single[] = [];
  const ended = progress(tools.say, () => `resync of ${count} objects, ${singles.length} new ones meanwhile`);
  let asked = began;
  let seconds = 0;
  // the operator's answer lists every object, which takes it a while: it is asked every few seconds only
  for (let done = 0; done < count + singles.length; ) {
    singles.push(await one(scene, `among-${singles.length}`));
    if (elapsed(asked) < METRICS_PAUSE_S) continue;
    done = await reconciled(operator);
    asked = performance.now();
    seconds = elapsed(began);
  }
  ended();
  const after = cpu(operator);
  const registryWrites = (await shell.writes()) - writes - singles.length;
  const changed = [...versions].filter(([name, version]) => objects.present.get(name) !== version).length;
  const shares = (['operator', 'Shell', 'API server'] as const).map((who) => figure((after[who] - before[who]) / count)).join(', ');
  const rows = [
    [`resync of ${count} unchanged objects: ${registryWrites} registry writes, ${changed} object writes`, '', figure(seconds, ' s'), figure(count / seconds, '/s'), `${shares} ms`, memory(operator)],
    ...singleRows('one new object while the resync drains', singles, operator),
  ];
  await operator.stop();
  return rows;
}

/** The leader ends, politely or not, and the other one has to take over. */
async function handOvers(scene: OperatorScene): Promise<string[][]> {
  const rows: string[][] = [];
  for (const [signal, what] of [['SIGTERM', 'SIGTERM'], ['SIGKILL', 'kill -9']] as const) {
    const seconds: number[] = [];
    for (let round = 0; round < HAND_OVERS; round += 1) {
      scene.tools.say(`hand-over by ${what}, ${round + 1} of ${HAND_OVERS}`);
      seconds.push(await handOver(scene, signal, `${signal.toLowerCase()}-${round}`));
    }
    rows.push([`hand-over after ${what} with ${scene.objects.present.size} objects, median and worst of ${HAND_OVERS}`, '', `${figure(median(seconds), ' s')}, ${figure(Math.max(...seconds), ' s')}`, '', '', '']);
  }
  return rows;
}

async function handOver(scene: OperatorScene, signal: 'SIGTERM' | 'SIGKILL', name: string): Promise<number> {
  const election = { OPERATOR_LEADER_ELECTION: 'true', OPERATOR_LEASE_NAME: name };
  const leader = await scene.startOperator(election);
  await one(scene, `before-${name}`);
  const standby = await scene.startOperator(election);
  const began = performance.now();
  const ended = leader.stop(signal);
  await one(scene, `after-${name}`);
  const seconds = elapsed(began);
  await ended;
  await standby.stop();
  return seconds;
}

/** Says where it stands every ten seconds. */
function progress(say: (text: string) => void, text: () => string): () => void {
  say(text());
  const timer = setInterval(() => say(text()), 10_000);
  return () => clearInterval(timer);
}

function memory(operator: ServerProcess): string {
  const { rssMb, peakMb } = operator.usage();
  return `${rssMb.toFixed(0)} / ${peakMb.toFixed(0)} MB`;
}

async function reconciled(operator: ServerProcess): Promise<number> {
  const text = await (await fetch(`${operator.url}/metrics`)).text();
  return [...text.matchAll(/^controller_runtime_reconcile_total\{[^}]*result="(?:success|requeue_after)"[^}]*\} (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
}
