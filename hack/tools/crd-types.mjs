// Generates operator/src/generated from crds/: the TypeScript types of spec and status, and the schema itself as a
// constant, so that the operator needs no file at run time. Run it after every change of the CRD (make generate does).
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { compile } from 'json-schema-to-typescript';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CRD = 'crds/satelliteapps.platform.satellite.io.yaml';
const OUT = `${ROOT}operator/src/generated`;
const BANNER = `// Generated from ${CRD} by hack/tools/crd-types.mjs; do not edit.`;

/** OpenAPI of a CRD as JSON schema for types: closed objects, and a field with a default is always there once stored. */
function forTypes(schema) {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return schema;
  const { 'x-kubernetes-preserve-unknown-fields': open, properties, items, default: _default, pattern: _pattern, format: _format, ...rest } = schema;
  const plain = Object.fromEntries(Object.entries(rest).filter(([key]) => !key.startsWith('x-kubernetes-')));
  if (items) plain.items = forTypes(items);
  if (schema.type !== 'object') return plain;
  plain.additionalProperties = open === true || properties === undefined;
  if (!properties) return plain;
  plain.properties = Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, forTypes(value)]));
  const defaulted = Object.entries(properties).filter(([, value]) => value.default !== undefined).map(([name]) => name);
  plain.required = [...new Set([...(schema.required ?? []), ...defaulted])];
  return plain;
}

/** Writes only what changed, so that incremental builds stay incremental. */
async function write(file, text) {
  const before = await readFile(file, 'utf8').catch(() => undefined);
  if (before !== text) await writeFile(file, text);
}

const crd = parse(await readFile(ROOT + CRD, 'utf8'));
const version = crd.spec.versions.find((candidate) => candidate.storage);
const { spec, status } = version.schema.openAPIV3Schema.properties;
const options = { bannerComment: '', additionalProperties: false, ignoreMinAndMaxItems: true, style: { singleQuote: true, printWidth: 140 } };
const types = [
  await compile(forTypes(spec), 'SatelliteAppSpec', options),
  await compile(forTypes(status), 'SatelliteAppStatus', options),
];

await mkdir(OUT, { recursive: true });
await write(`${OUT}/satellite-app.ts`, `${BANNER}\n\n${types.join('\n')}`);
await write(
  `${OUT}/satellite-app-crd.ts`,
  `${BANNER}\n\n/** The custom resource definition as it is installed in a cluster. */\nexport const satelliteAppCrd = ${JSON.stringify(crd, null, 2)} as const;\n`,
);
