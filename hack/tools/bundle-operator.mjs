// Makes operator/dist/bundle from the compiled operator: its own code and those parts of its packages that it uses, in a
// few files. That is what is shipped, since a third of the operator's memory would else be modules that nothing calls.
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const FOLDER = 'operator/dist/bundle';

/** What stands before each file: CommonJS packages ask for parts of Node.js by `require`. */
const REQUIRE = "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/** Where the Kubernetes client is entered, and what stands in for the list of everything that is generated. */
const CLIENT = '@kubernetes/client-node';
const GENERATED = "export { createConfiguration } from './configuration.js'; export { ServerConfiguration } from './servers.js';";

/**
 * Of the Kubernetes client only what reads kubeconfigs and signs in: its generated models and calls are 16 MB of source,
 * and nothing uses them. A version of it that needs more of them cannot be bundled, and says which.
 */
const withoutModels = {
  name: 'without-models',
  setup(context) {
    context.onResolve({ filter: new RegExp(`^${CLIENT}$`) }, ({ kind, resolveDir }) => context.resolve(`${CLIENT}/dist/config.js`, { kind, resolveDir }));
    context.onLoad({ filter: /[\\/]client-node[\\/]dist[\\/]gen[\\/]index\.js$/ }, () => ({ contents: GENERATED }));
  },
};

export async function bundleOperator() {
  rmSync(FOLDER, { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: ['operator/dist/main.js'],
    outdir: FOLDER,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    conditions: ['default'],
    // One character beyond Latin-1, be it in a comment, doubles what a file takes in memory. Names stay, for stack traces.
    minifyWhitespace: true,
    lineLimit: 160,
    legalComments: 'none',
    // For --enable-source-maps, which is for searching and not for every day: it costs 30 MB.
    sourcemap: true,
    sourcesContent: false,
    banner: { js: REQUIRE },
    plugins: [withoutModels],
    metafile: true,
    logLevel: 'error',
  });
  writeFileSync(join(FOLDER, 'LICENSES.txt'), licensesOf(packagesIn(metafile)));
}

/** Folders of the packages that something in the bundle comes from. */
function packagesIn({ outputs }) {
  const files = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs)).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const folders = files.map(([file]) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  return [...new Set(folders)].filter((folder) => folder !== undefined).sort();
}

/** What the licenses of the packages want to be passed on with their code. */
function licensesOf(folders) {
  return folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const texts = globSync(`${folder}/{LICENSE,LICENCE,COPYING,NOTICE}*`).filter((file) => existsSync(file)).sort().map((file) => readFileSync(file, 'utf8').trim());
    return [`${name} ${version} (${license})`, ...texts].join('\n\n');
  }).join(`\n\n${'-'.repeat(80)}\n\n`).concat('\n');
}
