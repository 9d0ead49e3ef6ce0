import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { METRICS } from '../src/monitoring/metric-list.js';

const ROOT = join(import.meta.dirname, '..', '..');
const GUIDE = readFileSync(join(ROOT, 'hack/docs/operator.md'), 'utf8');
/** Ways in which the sources write the reason of a condition or an event. */
const REASON = /(?:new (?:Stalled|Waiting)\(|reason: |run\.state\([\w.]+, '\w+', |[A-Z_]+ = |\[Code\.\w+\]: )'([A-Z][A-Za-z]+)'/g;

const sources = globSync('operator/src/{controllers,sources,runtime}/**/*.ts', { cwd: ROOT })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(ROOT, file), 'utf8'));

// What is not in the guide is found by nobody who meets it.
describe('the guide of the operator', () => {
  it('explains every reason that a condition or an event can have', () => {
    const reasons = new Set(sources.flatMap((text) => [...text.matchAll(REASON)].map(([, reason]) => reason ?? '')));
    expect(reasons.size).toBeGreaterThan(30);
    expect([...reasons].filter((reason) => !GUIDE.includes(`\`${reason}\``))).toEqual([]);
  });

  it('lists every variable', () => {
    const variables = [...readFileSync(join(ROOT, 'operator/src/env.ts'), 'utf8').matchAll(/^ {4}(OPERATOR_[A-Z_]+):/gm)].map(([, name]) => name ?? '');
    expect(variables).toContain('OPERATOR_WORKERS');
    expect(variables.filter((name) => !GUIDE.includes(`\`${name}\``))).toEqual([]);
  });

  it('names no metric that does not exist', () => {
    const named = [...GUIDE.matchAll(/`((?:controller_runtime|workqueue|satellite_operator|gotk|leader_election)_\w+)`/g)].map(([, name]) => name ?? '');
    expect(named.filter((name) => !(name in METRICS))).toEqual([]);
  });
});
