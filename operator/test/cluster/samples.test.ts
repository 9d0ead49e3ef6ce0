import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../support/until.js';
import { Fixture, SAMPLES } from './support/fixture.js';

jest.setTimeout(90_000);

const NAMESPACE = 'samples';
/** In this order; each with an object and what its conditions then say. */
const STEPS = [
  ['minimal.yaml', 'notes', { Ready: ['True', 'Registered'], Registered: ['True', 'Applied'], CacheSynced: ['True', 'CacheCurrent'], APICompatible: ['True', 'OpenAPIFound'], Drifted: ['False', 'InSync'] }],
  ['modes/suspended.yaml', 'suspended', { Ready: ['Unknown', 'Suspended'] }],
  ['modes/plan.yaml', 'planned', { Ready: ['True', 'Planned'], Registered: ['False', 'NotApplied'] }],
  ['modes/1-enforced.yaml', 'drifted', { Ready: ['True', 'Registered'], Drifted: ['False', 'InSync'] }],
  ['modes/2-drifted.yaml', 'drifted', { Ready: ['True', 'Observed'], Drifted: ['True', 'DriftFound'] }],
] as const;

describe('the samples', () => {
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await Fixture.open(NAMESPACE);
    await fixture.startOperator({ OPERATOR_WATCH_NAMESPACE: NAMESPACE }).works();
  });
  afterAll(() => fixture.close());

  it.each(STEPS)('%s shows what it says', async (file, name, wanted) => {
    const text = (await readFile(join(SAMPLES, file), 'utf8')).replace('/notes/api', fixture.satellite.apiUrl);
    await fixture.cluster.kubectl(['apply', '-n', NAMESPACE, '-f', '-'], text);
    const seen = async () => {
      const { metadata, status } = await fixture.get(name);
      const conditions = Object.fromEntries((status?.conditions ?? []).map(({ type, status: value, reason }) => [type, [value, reason]]));
      return { isCurrent: status?.observedGeneration === metadata.generation, conditions };
    };
    const { conditions } = await until(seen, (found) => found.isCurrent && Object.entries(wanted).every(([type, state]) => String(found.conditions[type]) === String(state)), { limitMs: 30_000, what: `${file} is ${JSON.stringify(wanted)}` });
    expect(conditions).toMatchObject(wanted);
  });

  it('leave the registry alone where they say so, and name what differs', async () => {
    expect(await fixture.platform.slugs()).toEqual(['drifted', 'notes']);
    expect((await fixture.platform.entry('drifted'))?.name).toBe('As it is');
    expect((await fixture.get('drifted')).status?.differences).toEqual([{ field: 'name', before: '"As it is"', after: '"As it should be"' }]);
  });
});
