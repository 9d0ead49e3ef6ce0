import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cluster } from '../../../../../operator/test/cluster/support/cluster.js';

type Schema = Record<string, unknown>;
interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}
interface OpenApi {
  readonly definitions: Readonly<Record<string, Schema>>;
}

/** What the API server's own document leaves open. */
const ANYTHING: Readonly<Record<string, Schema>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: ['string', 'number'] },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { type: ['string', 'integer'] },
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON': {},
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray': {},
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool': {},
};

/** Writes what the API server knows of its kinds as schemas for kubeconform, unknown fields refused; answers where kubeconform finds them. */
export async function writeSchemas(cluster: Cluster, folder: string): Promise<string> {
  const { definitions } = JSON.parse(await cluster.kubectl(['get', '--raw', '/openapi/v2'])) as OpenApi;
  await mkdir(folder, { recursive: true });
  for (const [name, definition] of Object.entries(definitions)) {
    for (const { group, version, kind } of (definition['x-kubernetes-group-version-kind'] ?? []) as Kind[]) {
      if (!('properties' in definition)) continue; // a kind of somebody else that says nothing of itself
      // the core group has no name; kubeconform takes the version for it
      await writeFile(join(folder, `${kind.toLowerCase()}-${group || version}-${version}.json`), JSON.stringify({ $ref: `#/definitions/${name}`, definitions: closure(definitions, name) }));
    }
  }
  return join(folder, '{{ .ResourceKind }}-{{ .Group }}-{{ .ResourceAPIVersion }}.json');
}

/** A definition and all that it refers to. */
function closure(definitions: OpenApi['definitions'], start: string): Record<string, Schema> {
  const found: Record<string, Schema> = {};
  const open = [start];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (name in found) continue;
    const schema = ANYTHING[name] ?? definitions[name] ?? {};
    found[name] = strict(schema);
    open.push(...[...JSON.stringify(schema).matchAll(/"#\/definitions\/([^"]+)"/g)].map(([, other]) => other as string));
  }
  return found;
}

const strict = (schema: Schema): Schema => ('properties' in schema && !('additionalProperties' in schema) ? { ...schema, additionalProperties: false } : schema);
