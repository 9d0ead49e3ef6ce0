import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { firstLoadOfShell, REMOTE_LIMIT, remotes, SHELL_LIMIT } from './front-ends.js';

const ROOT = join(__dirname, '../../../..');
const MANTINE = join(ROOT, 'node_modules/@mantine/core');

describe('what a browser has to load', () => {
  it(`is at most ${SHELL_LIMIT / 1000} kB compressed for the Shell with its launchpad`, () => {
    const { gzipped, files } = firstLoadOfShell();
    // what every page needs is in it, so that an empty build does not pass
    expect(files).toContainEqual(expect.stringMatching(/^assets\/index-.*\.css$/));
    expect(gzipped).toBeGreaterThan(200_000);
    expect(gzipped).toBeLessThanOrEqual(SHELL_LIMIT);
  });

  it.each([...remotes()])(`is at most ${REMOTE_LIMIT / 1000} kB compressed for the whole front-end of %s`, (_slug, { gzipped, files }) => {
    expect(files).toContain('remoteEntry.js');
    expect(gzipped).toBeLessThanOrEqual(REMOTE_LIMIT);
  });

  it('does not hold React, Mantine or the kit a second time in a remote', () => {
    const scripts = [...remotes().keys()].flatMap((slug) => globSync(join(ROOT, `services/${slug}/web/dist/assets/*.js`)));
    expect(scripts.length).toBeGreaterThan(0);
    const holding = (mark: string): string[] => scripts.filter((file) => readFileSync(file, 'utf8').includes(mark));
    expect(holding('takes an object of state variables to update')).toEqual([]);
    expect(holding('MantineProvider was not found')).toEqual([]);
    expect(holding('The server cannot be reached. Check the connection')).toEqual([]);
  });
});

describe('the part of Mantine that the kit has', () => {
  it('comes with the styles of all its components', () => {
    const styles = readFileSync(join(ROOT, 'services/web-kit/src/styles.css'), 'utf8');
    const there = [...styles.matchAll(/'@mantine\/core\/(styles\/[^']+)'/g)].map(([, file = '']) => readFileSync(join(MANTINE, file), 'utf8')).join('\n');
    const whole = readFileSync(join(MANTINE, 'styles.layer.css'), 'utf8');
    const missing = classesOf(exportsOf(join(ROOT, 'services/web-kit/src/mantine.ts'))).filter((name) => whole.includes(`.${name}`) && !there.includes(`.${name}`));
    expect(missing).toEqual([]);
  });
});

/** Names between the braces of `export { … } from`. */
function exportsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, names = '']) => names.split(',').map((name) => name.trim()).filter((name) => name !== ''));
}

/** Class names of these exports of Mantine, and of everything that they are made of. */
function classesOf(names: readonly string[]): string[] {
  const index = readFileSync(join(MANTINE, 'esm/index.mjs'), 'utf8');
  const homes = new Map([...index.matchAll(/import \{([^}]*)\} from "(\.\/[^"]+)"/g)].flatMap(([, imported = '', file = '']) => imported.split(',').map((name) => [name.trim(), join(MANTINE, 'esm', file)] as const)));
  const left = names.map((name) => homes.get(name) ?? fail(name));
  const seen = new Set<string>();
  const classes = new Set<string>();
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const code = readFileSync(file, 'utf8');
    if (file.endsWith('.module.mjs')) for (const [name] of code.matchAll(/\bm_[0-9a-z]+/g)) classes.add(name);
    for (const [, next = ''] of code.matchAll(/from "(\.[^"]+)"/g)) left.push(join(dirname(file), next));
  }
  return [...classes];
}

function fail(name: string): never {
  throw new Error(`@mantine/core has no ${name}`);
}
