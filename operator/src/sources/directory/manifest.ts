import { parseAllDocuments } from 'yaml';
import { singleLine } from '@satellite/kit/core';
import type { CrdSchema, SchemaProblem } from './crd-schema.js';
import { CustomResourceSchema } from './custom-resource-schema.js';

/** What a manifest says of one object, before it is an object. */
export interface Manifest<Spec> {
  readonly namespace: string;
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec: Spec;
}

/** One document of a file as parsed; `undefined` text means the file holds nothing that can be read. */
export interface ManifestDocument {
  /** 1 for the first document of the file. */
  readonly position: number;
  readonly content: Readonly<Record<string, unknown>>;
}

/** The file is not YAML or JSON; nothing in it is known. */
export class UnreadableManifest extends Error {
  override readonly name = 'UnreadableManifest';
}

const METADATA: CrdSchema & Record<string, unknown> = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', maxLength: 253, pattern: '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$' } as CrdSchema,
    namespace: { type: 'string', maxLength: 63, pattern: '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$', default: 'default' } as CrdSchema,
    labels: { type: 'object', additionalProperties: { type: 'string' } } as CrdSchema,
    annotations: { type: 'object', additionalProperties: { type: 'string' } } as CrdSchema,
  },
};
/** Fields that `kubectl get -o yaml` prints; a manifest copied from there is welcome, they mean nothing here. */
const SERVER_FIELDS = new Set(['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields', 'selfLink']);

/** The documents of a file; empty ones are left out. Throws UnreadableManifest. */
export function parseManifests(text: string): ManifestDocument[] {
  return parseAllDocuments(text, { uniqueKeys: true, version: '1.2' }).flatMap((document, index) => {
    const [error] = document.errors;
    if (error) throw new UnreadableManifest(singleLine(error.message.split('\n')[0] ?? 'syntax error'));
    const content: unknown = toValue(() => document.toJS({ maxAliasCount: 100 }));
    if (content === null || content === undefined) return [];
    if (typeof content !== 'object' || Array.isArray(content)) throw new UnreadableManifest(`document ${index + 1} is not a mapping with apiVersion, kind, metadata and spec`);
    return [{ position: index + 1, content: content as Record<string, unknown> }];
  });
}

function toValue(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    throw new UnreadableManifest(error instanceof Error ? error.message : String(error));
  }
}

/** Names and validates manifests of one kind. */
export class ManifestReader<Spec> {
  private readonly metadata = new CustomResourceSchema(METADATA, 'metadata');
  private readonly spec: CustomResourceSchema;

  constructor(
    private readonly kind: { readonly apiVersion: string; readonly kind: string },
    specSchema: CrdSchema,
  ) {
    this.spec = new CustomResourceSchema(specSchema, 'spec');
  }

  /** Namespace and name, when the document has usable ones. */
  identify({ content }: ManifestDocument): { readonly namespace: string; readonly name: string } | undefined {
    const { value, problems } = this.checkMetadata(content);
    return problems.some(({ path }) => path === 'metadata.name' || path === 'metadata.namespace' || path === 'metadata') ? undefined : (value as { namespace: string; name: string });
  }

  /** @param oldSpec the stored spec of the same object, for rules about changes */
  read({ content }: ManifestDocument, oldSpec: unknown): { readonly manifest: Manifest<Spec>; readonly problems: readonly SchemaProblem[] } {
    const metadata = this.checkMetadata(content);
    const spec = this.spec.check(content['spec'] ?? {}, oldSpec);
    const { namespace, name, labels, annotations } = metadata.value as Manifest<Spec>;
    return { manifest: { namespace, name, labels, annotations, spec: spec.value as Spec }, problems: [...this.checkFrame(content), ...metadata.problems, ...spec.problems] };
  }

  private checkMetadata(content: Readonly<Record<string, unknown>>): { readonly value: unknown; readonly problems: readonly SchemaProblem[] } {
    const given = content['metadata'];
    const own = given !== null && typeof given === 'object' ? Object.fromEntries(Object.entries(given).filter(([field]) => !SERVER_FIELDS.has(field))) : (given ?? {});
    return this.metadata.check(own, undefined);
  }

  private checkFrame(content: Readonly<Record<string, unknown>>): SchemaProblem[] {
    const { apiVersion, kind } = this.kind;
    const unknown = Object.keys(content).filter((field) => !['apiVersion', 'kind', 'metadata', 'spec', 'status'].includes(field));
    return [
      ...(content['apiVersion'] === apiVersion ? [] : [{ path: 'apiVersion', message: `must be ${apiVersion}` }]),
      ...(content['kind'] === kind ? [] : [{ path: 'kind', message: `must be ${kind}` }]),
      ...unknown.map((field) => ({ path: field, message: 'unknown field; remove it' })),
    ];
  }
}
