import type { CustomResource } from '../../src/runtime/objects.js';

export type Thing = CustomResource<{ readonly value: number }>;

/** An object of no particular kind. */
export function thing(name: string, version = 1, over: Partial<Thing['metadata']> = {}): Thing {
  return {
    apiVersion: 'test/v1',
    kind: 'Thing',
    metadata: { name, namespace: 'default', uid: `uid-${name}`, generation: 1, resourceVersion: String(version), creationTimestamp: '2026-01-01T00:00:00Z', ...over },
    spec: { value: version },
  };
}
