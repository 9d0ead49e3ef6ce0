// Makes a satellite from the templates beside this file: make new-service NAME=notes
//   node hack/scaffold/new-service.mjs <slug> [folder]
// Without a folder it becomes services/<slug>, a workspace that is built, checked and tested with everything else.
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TEMPLATES = fileURLToPath(new URL('service', import.meta.url));
const SUFFIX = '.tmpl';

const [slug = '', wanted] = process.argv.slice(2);
const folder = resolve(wanted ?? join(ROOT, 'services', slug));
if (!/^[a-z][a-z0-9-]{1,38}[a-z0-9]$/.test(slug)) fail(`"${slug}" cannot be a slug: lower-case letters, digits and -, beginning with a letter, 3 to 40 characters. Example: make new-service NAME=notes`);
if (existsSync(folder)) fail(`${folder} is there already. Choose another name, or remove it.`);

const words = slug.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
const values = { __slug__: slug, __Name__: words.join(''), __Title__: words.join(' '), __root__: relative(folder, ROOT) };
const filled = (text) => text.replaceAll(/__(?:slug|Name|Title|root)__/g, (name) => values[name]);

for (const template of globSync('**/*.tmpl', { cwd: TEMPLATES }).filter((path) => statSync(join(TEMPLATES, path)).isFile())) {
  const target = join(folder, filled(template.slice(0, -SUFFIX.length)));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, filled(readFileSync(join(TEMPLATES, template), 'utf8')));
}
if (wanted === undefined) addToBuild(slug);

/** The one list of compiled folders; everything else finds services by their place. */
function addToBuild(name) {
  const file = join(ROOT, 'tsconfig.json');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('{ "path": "operator" }', `{ "path": "services/${name}" }, { "path": "operator" }`));
}

function fail(message) {
  console.error(`new-service: ${message}`);
  process.exit(1);
}
