// Compiles all workspaces when a source changed. tsc -b would notice that by itself, but takes longer to do so.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { filesOf, isCurrent, remember } from './fingerprint.mjs';

process.chdir(fileURLToPath(new URL('../../', import.meta.url)));
const STAMP = '.cache/build.json';
const sources = ['{operator,hack/bench}/src/**/*.ts', 'services/*/{src,migrations}/**/*.ts', '{proto,operator,hack/bench,services/*}/tsconfig.json', 'hack/config/tsconfig.base.json', 'package-lock.json'];
// Generated code is an input here, although it is an output elsewhere.
const generated = ['proto/gen/**/*.ts', 'services/*/src/generated/*.ts', 'operator/src/generated/*.ts'];
const inputs = [...filesOf(sources), ...globSync(generated).sort()];

if (!isCurrent(STAMP, inputs, ['services/standalone/dist/main.js', 'services/shell/dist/src/index.js', 'operator/dist/index.js'])) {
  const began = Date.now();
  console.log('Compiling …');
  const { status } = spawnSync('tsc', ['-b'], { stdio: 'inherit' });
  if (status !== 0) {
    console.error('build: the compiler reports errors (above).');
    process.exit(1);
  }
  remember(STAMP, inputs);
  console.log(`Compiled (${((Date.now() - began) / 1000).toFixed(1)} s)`);
}
