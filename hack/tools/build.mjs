// Compiles all workspaces and builds the front-ends and the operator's bundle, each when a source of it changed. tsc -b would notice that by
// itself, but takes longer to do so.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { filesOf, isCurrent, remember } from './fingerprint.mjs';

process.chdir(fileURLToPath(new URL('../../', import.meta.url)));
const STAMP = '.cache/build.json';
const BUNDLE_STAMP = '.cache/build-operator.json';
const WEB_STAMPS = '.cache/build-web';
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

await Promise.all([buildOperator(), buildWeb()]);

async function buildOperator() {
  const made = globSync(['proto/gen/**/*.ts', 'operator/src/generated/*.ts']).sort();
  const how = ['{proto,operator,services/kit}/{tsconfig,package}.json', 'hack/config/tsconfig.base.json', 'hack/tools/bundle-operator.mjs', 'package-lock.json'];
  const inputs = [...filesOf(['{operator,services/kit}/src/**/*.ts', ...how]), ...made];
  if (isCurrent(BUNDLE_STAMP, inputs, ['operator/dist/bundle/main.js'])) return;
  const began = Date.now();
  const { bundleOperator } = await import('./bundle-operator.mjs');
  await bundleOperator();
  remember(BUNDLE_STAMP, inputs);
  console.log(`Bundled the operator (${((Date.now() - began) / 1000).toFixed(1)} s)`);
}

/** Front-ends, two at a time: each needs one core. */
async function buildWeb() {
  const kit = ['services/web-kit/src/**/*.{ts,tsx,css}', 'services/web-kit/{vite.mjs,vite/*.mjs,package.json}', 'package-lock.json'];
  const due = globSync('services/*/web/vite.config.ts').map((file) => file.replace('/vite.config.ts', '')).sort().map((folder) => {
    // Generated code is an input here too.
    const inputs = [...filesOf([...kit, `${folder}/{index.html,vite.config.ts,package.json}`, `${folder}/public/**/*.*`, `${folder}/src/**/*.*`]), ...globSync(`${folder}/src/generated/*.ts`).sort()];
    return { folder, inputs: [...new Set(inputs)], stamp: `${WEB_STAMPS}/${folder.replaceAll('/', '-')}.json` };
  }).filter(({ folder, inputs, stamp }) => !isCurrent(stamp, inputs, [`${folder}/dist`]));
  if (due.length === 0) return;
  const began = Date.now();
  console.log(`Building ${due.map(({ folder }) => folder).join(', ')} …`);
  const left = [...due];
  await Promise.all([1, 2].map(async () => {
    for (let one = left.shift(); one; one = left.shift()) await buildOne(one);
  }));
  console.log(`Built (${((Date.now() - began) / 1000).toFixed(1)} s)`);
}

async function buildOne({ folder, inputs, stamp }) {
  const child = spawn('vite', ['build', '--logLevel', 'error'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
  const status = await new Promise((resolve) => child.on('close', resolve));
  if (status !== 0 || !existsSync(`${folder}/dist`)) {
    console.error(`${printed}\nbuild: the front-end in ${folder} cannot be built (above).`);
    process.exit(1);
  }
  remember(stamp, inputs);
}
