// Derives from the comments of charts/*/values.yaml what people and Helm read: values.schema.json, which refuses keys
// that do not exist, and the table at the end of README.md. Comments are those of helm-docs:
//   # -- What the key says
//   # @schema enum: [a, b]        one of these
//   # @schema items: string       of a list
//   # @schema free                anything Kubernetes knows there
//   # @schema strings             names and texts
//   # @schema secretRefs          names and where in a Secret they are
//   # @schema secretKinds         names and `password` or `key`
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';

const LIBRARY = 'common';
const MARK = '<!-- values: made by hack/tools/chart-docs.mjs -->';
const scalar = { type: ['string', 'number', 'boolean'] };
const FORMS = {
  free: { type: 'object' },
  strings: { type: 'object', additionalProperties: scalar },
  secretKinds: { type: 'object', additionalProperties: { enum: ['password', 'key'] } },
  secretRefs: {
    type: 'object',
    additionalProperties: {
      type: 'object', required: ['key'], additionalProperties: false,
      properties: { secret: { type: 'string' }, key: { type: 'string', minLength: 1 }, optional: { type: 'boolean' } },
    },
  },
};

/** The commented keys of a values file, in their order: { path, description, form, value }. */
function entriesOf(file) {
  const values = parse(readFileSync(file, 'utf8'));
  const entries = [];
  const stack = [];
  let comment = [];
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, indent = '', note, key] = /^( *)(?:# ?(.*)|([\w.-]+):.*)$/.exec(line) ?? [];
    if (note !== undefined) comment.push(note);
    else if (key !== undefined) {
      while (stack.length > 0 && stack.at(-1).indent >= indent.length) stack.pop();
      stack.push({ indent: indent.length, key });
      const path = stack.map((part) => part.key);
      const said = saidOf(comment);
      if (said !== undefined) entries.push({ path, value: path.reduce((at, part) => at[part], values), ...said });
      comment = [];
    } else comment = [];
  }
  return entries;
}

function saidOf(comment) {
  const start = comment.findIndex((line) => line.startsWith('-- '));
  if (start < 0) return undefined;
  const lines = comment.slice(start);
  const schema = lines.find((line) => line.startsWith('@schema '))?.slice('@schema '.length);
  const description = lines.filter((line) => !line.startsWith('@')).join(' ').slice('-- '.length);
  return { description, schema };
}

function schemaOf({ value, schema, description }) {
  return { description, ...(schema === undefined ? inferred(value) : stated(schema)) };
}

function stated(schema) {
  if (FORMS[schema] !== undefined) return FORMS[schema];
  const { enum: choices, items } = parse(schema);
  if (choices !== undefined) return { enum: choices };
  if (items !== undefined) return { type: 'array', items: { type: items } };
  throw new Error(`There is no @schema ${schema}.`);
}

function inferred(value) {
  if (Array.isArray(value)) return { type: 'array' };
  if (value !== null && typeof value === 'object') return FORMS.strings;
  if (Number.isInteger(value)) return { type: 'integer', minimum: 0 };
  if (value === null) throw new Error('A value without a type cannot be checked; give it a default.');
  return { type: typeof value };
}

/** The schema of a tree of entries; a key that is not there is refused. */
function treeOf(entries) {
  const root = { type: 'object', additionalProperties: false, properties: {} };
  for (const entry of entries) {
    let at = root;
    for (const part of entry.path.slice(0, -1)) {
      const below = (at.properties[part] ??= { type: 'object' });
      below.properties ??= {};
      below.additionalProperties = false;
      at = below;
    }
    const key = entry.path.at(-1);
    at.properties[key] = { ...schemaOf(entry), ...(at.properties[key]?.properties && { properties: at.properties[key].properties }) };
  }
  return root;
}

const TYPE_NAMES = { number: 'int' };
function rowOf({ path, value, description }) {
  const type = Array.isArray(value) ? 'list' : (TYPE_NAMES[typeof value] ?? (typeof value === 'boolean' ? 'bool' : typeof value));
  return `| ${path.join('.')} | ${type} | \`${JSON.stringify(value).replaceAll('|', '\\|')}\` | ${description.replaceAll('|', '\\|')} |`;
}

function readmeOf(chart, about, entries) {
  const file = `charts/${chart}/README.md`;
  const [written] = (existsSync(file) ? readFileSync(file, 'utf8') : `# ${chart}\n\n${about.description}\n\n`).split(MARK);
  const others = chart === LIBRARY ? [] : ['', `What every service can be told beside: [../${LIBRARY}/README.md](../${LIBRARY}/README.md).`];
  return [written.trimEnd(), '', MARK, '## Values', ...others, '', '| Key | Type | Default | Description |', '|-----|------|---------|-------------|', ...entries.map(rowOf), ''].join('\n');
}

const charts = readdirSync('charts', { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name);
const library = entriesOf(`charts/${LIBRARY}/values.yaml`);
for (const chart of charts) {
  const about = parse(readFileSync(`charts/${chart}/Chart.yaml`, 'utf8'));
  const own = entriesOf(`charts/${chart}/values.yaml`);
  const parts = (about.dependencies ?? []).map(({ name }) => name);
  const isUmbrella = parts.some((name) => name !== LIBRARY);
  const inherited = isUmbrella ? library.filter(({ path: [first] }) => first === 'global') : chart === LIBRARY ? [] : library;
  const tree = treeOf([...inherited, ...own]);
  for (const part of parts) tree.properties[part] = { description: `Values of the chart ${part}, which checks them itself`, type: 'object' };
  if (!isUmbrella) tree.properties.enabled = { description: 'Of the umbrella chart', type: 'boolean' };
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', title: about.name, ...tree };
  writeFileSync(`charts/${chart}/values.schema.json`, `${JSON.stringify(schema, undefined, 2)}\n`);
  writeFileSync(`charts/${chart}/README.md`, readmeOf(chart, about, own));
}
