import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Fixture } from './support/fixture.js';

jest.setTimeout(120_000);

const OPERATOR = fileURLToPath(new URL('../../', import.meta.url));
const BUNDLE = join(OPERATOR, 'dist/bundle');
const { scripts } = JSON.parse(readFileSync(join(OPERATOR, 'package.json'), 'utf8')) as { scripts: { start: string } };
/** Arguments of Node.js in `npm start`, the program last. */
const [, ...START] = scripts.start.split(' ').map((word) => (word.endsWith('.js') ? join(OPERATOR, word) : word));

describe('the program that is shipped', () => {
  let fixture: Fixture;

  beforeAll(async () => {
    if (!existsSync(join(BUNDLE, 'main.js'))) throw new Error('operator/dist/bundle is missing: run make build.');
    fixture = await Fixture.open('bundle');
  });
  afterAll(() => fixture.close());

  it('starts with the flags of npm start, gets ready and registers an app', async () => {
    const operator = fixture.startOperator({ OPERATOR_LEADER_ELECTION: 'true' }, START);
    await operator.works();
    const url = await operator.healthUrl();
    for (const path of ['/readyz', '/livez', '/metrics']) expect((await fetch(url + path)).status).toBe(200);
    await fixture.cluster.apply(fixture.app('bundled'));
    await fixture.waitReady('bundled', 60_000);
    expect(await fixture.platform.entry('bundled')).toBeDefined();
    expect(await operator.end()).toBe(0);
  });

  it('has nothing of what is generated in the Kubernetes client, nor of anything else that is large', () => {
    const files = globSync(join(BUNDLE, '*.js')).map((file) => readFileSync(file, 'utf8'));
    expect(files.join('')).toContain('loadFromDefault');
    expect(files.join('')).not.toContain('V1PodSpec');
    expect(files.reduce((sum, text) => sum + text.length, 0)).toBeLessThan(4_000_000);
    // Beyond Latin-1 a character takes two bytes, and with it all of its file.
    expect(files.filter((text) => Buffer.from(text, 'latin1').toString('latin1') !== text)).toEqual([]);
  });

  it('brings the licenses of the packages it is made of', () => {
    const licenses = readFileSync(join(BUNDLE, 'LICENSES.txt'), 'utf8');
    for (const name of ['@kubernetes/client-node 2.', 'undici ', 'zod ', 'pino ']) expect(licenses).toContain(`\n${name}`);
    expect(licenses).toContain('Apache License');
  });
});
