import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');

/** A file that breaks exactly the rule, and what it imports. */
const VIOLATIONS: readonly [rule: string, file: string, imports: string][] = [
  ['module-front-door', 'services/shell/src/modules/users/users.service.ts', '../roles/roles.service.js'],
  ['no-service-to-service', 'services/drive/src/borrow.ts', '../../shell/src/index.js'],
  ['controller-sees-no-store', 'services/shell/src/modules/users/users.controller.ts', './users.repository.js'],
  ['operator-is-alone', 'operator/src/peek.ts', '../../services/shell/src/index.js'],
  ['operator-kit-parts', 'operator/src/store.ts', '../../services/kit/src/db/index.js'],
  ['kit-serves-all', 'services/kit/src/core/peek.ts', '../../../shell/src/index.js'],
  ['orm-behind-repositories', 'services/shell/src/modules/users/users.policy.ts', '@mikro-orm/core'],
  ['express-at-the-edge', 'services/shell/src/modules/roles/roles.policy.ts', 'express'],
  ['kubernetes-in-the-operator', 'services/shell/src/modules/roles/cluster.ts', '@kubernetes/client-node'],
  ['no-test-code-in-production', 'services/shell/src/modules/roles/fake.ts', '../../../../kit/src/testing/index.js'],
  ['embedded-only-standalone', 'services/shell/src/start.ts', '../../kit/src/embedded/index.js'],
  ['web-stays-in-the-browser', 'services/shell/web/page.ts', '../src/index.js'],
  ['resolvable', 'services/shell/src/broken.ts', './nothing.js'],
  ['declared-dependencies', 'services/shell/src/undeclared.ts', 'ts-api-utils'],
];

/** What the violations import; each of them may stand. */
const INNOCENT = ['services/shell/src/index.ts', 'services/shell/src/modules/roles/roles.service.ts', 'services/shell/src/modules/users/users.repository.ts', 'services/kit/src/db/index.ts', 'services/kit/src/testing/index.ts', 'services/kit/src/embedded/index.ts'];

describe('the import rules', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'satellite-rules-'));
    await mkdir(join(folder, 'hack'));
    await cp(join(ROOT, 'hack', 'config'), join(folder, 'hack', 'config'), { recursive: true, filter: (path) => !path.includes('node_modules') });
    await symlink(join(ROOT, 'hack', 'config', 'node_modules'), join(folder, 'hack', 'config', 'node_modules'));
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await write('package.json', '{"name":"rules","type":"module","dependencies":{"express":"*","@mikro-orm/core":"*","@kubernetes/client-node":"*"}}');
    for (const file of INNOCENT) await write(file, 'export const x = 1;\n');
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function write(file: string, text: string): Promise<void> {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }

  function violations(): string[] {
    const hook = join(ROOT, 'hack', 'config', 'typescript-5.mjs');
    const args = ['--import', hook, join(ROOT, 'node_modules', '.bin', 'depcruise'), '--config', 'hack/config/dependency-cruiser.config.mjs', '--output-type', 'json', 'operator', 'services'];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
    if (!stdout.startsWith('{')) throw new Error(`dependency-cruiser failed:\n${stdout}${stderr}`);
    const { summary } = JSON.parse(stdout) as { summary: { violations: { from: string; rule: { name: string; severity: string } }[] } };
    return summary.violations.map(({ from, rule }) => `${rule.severity} ${rule.name} ${from}`).sort();
  }

  it('let innocent files pass and refuse each seeded violation, and nothing else', async () => {
    await mkdir(join(folder, 'operator'), { recursive: true });
    expect(violations()).toEqual([]);
    for (const [, file, imports] of VIOLATIONS) await write(file, `import '${imports}';\n`);
    await write('services/shell/src/modules/a/one.ts', "import './two.js';\n");
    await write('services/shell/src/modules/a/two.ts', "import './one.js';\n");
    const cycle = 'error no-cycles services/shell/src/modules/a/one.ts';
    const found = violations();
    expect(found).toEqual(expect.arrayContaining([cycle]));
    expect(found.filter((line) => !line.includes('no-cycles'))).toEqual(VIOLATIONS.map(([rule, file]) => `error ${rule} ${file}`).sort());
  }, 60_000);
});
