// Rebuilds everything that is derived from a contract, each step only when its inputs changed.
//   node hack/tools/generate.mjs           what has changed
//   node hack/tools/generate.mjs --check   everything, then fail when a committed result differs from what is committed
import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesOf, isCurrent, remember } from './fingerprint.mjs';

process.chdir(fileURLToPath(new URL('../../', import.meta.url)));
const check = process.argv.includes('--check');

/** Of a service: its routes and description from its controllers, and what its front-end knows of them. */
function stepsOf(folder) {
  const name = basename(folder);
  const routes = {
    name: `${name} routes and API document`,
    inputs: [`${folder}/src/**/*.ts`, 'services/kit/src/**/*.ts', `${folder}/tsoa.json`, `${folder}/scripts/*.ts`],
    outputs: [`${folder}/src/generated/routes.ts`, `${folder}/openapi.json`],
    committed: [`${folder}/openapi.json`],
    // The second corrects what tsoa cannot say and writes the document people read.
    commands: [['tsoa', ['spec-and-routes', '-c', 'tsoa.json'], folder], ['node', ['--import', 'tsx', '--conditions=development', 'scripts/write-openapi.ts'], folder]],
  };
  return existsSync(`${folder}/web/vite.config.ts`) ? [routes, webTypes(name, folder)] : [routes];
}

/** What Helm checks values by, and what people read about them. */
const CHART_DOCUMENTS = globSync('charts/*/Chart.yaml').sort().flatMap((file) => [`${dirname(file)}/values.schema.json`, `${dirname(file)}/README.md`]);

/** What a platform engineer watches the operator by, and the page that explains it. */
const MONITORING = ['charts/operator/dashboards/operator.json', 'charts/operator/rules/operator.json', 'hack/docs/operator.md'];

/** `outputs` prove that the step ran; `committed` are those that people read and git keeps. */
const STEPS = [
  {
    name: 'protobuf code',
    inputs: ['proto/**/*.proto', 'proto/buf*.yaml'],
    outputs: ['proto/gen'],
    committed: [],
    commands: [['buf', ['generate'], 'proto']],
  },
  {
    name: 'CRD types',
    inputs: ['crds/*.yaml', 'hack/tools/crd-types.mjs'],
    outputs: ['operator/src/generated'],
    committed: [],
    commands: [['node', ['hack/tools/crd-types.mjs'], '.']],
  },
  {
    name: 'chart schemas and READMEs',
    inputs: ['charts/*/values.yaml', 'charts/*/Chart.yaml', 'charts/*/README.md', 'hack/tools/chart-docs.mjs'],
    outputs: CHART_DOCUMENTS,
    committed: CHART_DOCUMENTS,
    commands: [['node', ['hack/tools/chart-docs.mjs'], '.']],
  },
  {
    name: "the operator's dashboard and alerts",
    inputs: ['operator/src/monitoring/*.ts', 'operator/scripts/*.ts', 'hack/docs/operator.md'],
    outputs: MONITORING,
    committed: MONITORING,
    commands: [['node', ['--import', 'tsx', '--conditions=development', 'scripts/write-monitoring.ts'], 'operator']],
  },
  ...globSync('services/*/tsoa.json').sort().flatMap((file) => stepsOf(dirname(file))),
];

/** What a front-end knows of its service: types of the paths of the service's document. */
function webTypes(name, folder) {
  return {
    name: `${name} web types`,
    inputs: [`${folder}/openapi.json`],
    outputs: [`${folder}/web/src/generated/schema.d.ts`],
    committed: [],
    // Reads TypeScript 5 by its compiler API, which hack/config has.
    commands: [['npx', ['openapi-typescript', `../../${folder}/openapi.json`, '-o', `../../${folder}/web/src/generated/schema.d.ts`], 'hack/config']],
  };
}

for (const step of STEPS) run(step);
if (check) refuseStale(STEPS.flatMap((step) => step.committed));

function run(step) {
  const stamp = `.cache/generate/${step.name.replaceAll(/\W+/g, '-')}.json`;
  const inputs = filesOf(step.inputs);
  if (!check && isCurrent(stamp, inputs, step.outputs)) return;
  const began = Date.now();
  for (const [command, args, cwd] of step.commands) {
    const { status, error, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
    if (status !== 0) fail(`${step.name}: ${command} ${args.join(' ')} failed in ${cwd}\n${stdout ?? ''}${stderr ?? ''}${error ? error.message : ''}`);
  }
  const missing = step.outputs.filter((output) => !existsSync(output));
  if (missing.length > 0) fail(`${step.name}: ${missing.join(', ')} was not written`);
  remember(stamp, inputs);
  console.log(`Generated ${step.name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
}

function refuseStale(files) {
  const tracked = spawnSync('git', ['ls-files', '--error-unmatch', '--', ...files], { encoding: 'utf8' });
  if (tracked.status !== 0) fail(`a generated file that people read is not in git:\n${tracked.stderr}`);
  const { status, stdout } = spawnSync('git', ['diff', '--exit-code', '--stat', 'HEAD', '--', ...files], { encoding: 'utf8' });
  if (status !== 0) fail(`these generated files are not what is committed; commit the result of make generate:\n${stdout}`);
}

function fail(message) {
  console.error(`generate: ${message}`);
  process.exit(1);
}
