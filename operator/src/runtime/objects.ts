/** What the runtime needs to know of any Kubernetes-style object. */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  /** Grows by one with every change of spec. */
  readonly generation: number;
  /** Grows with every write; compared as a number. */
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
}

/** A condition as Kubernetes writes them, always with the generation it is about. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
  readonly observedGeneration?: number;
}

export interface StatusBase {
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
}

export interface CustomResource<Spec = unknown, Status extends StatusBase = StatusBase> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec: Spec;
  readonly status?: Status;
}

/** Names an object: `namespace/name`. Queues hold keys and never objects, so that work always starts from the newest state. */
export type Key = string;

export function keyOf(object: { readonly metadata: { readonly namespace: string; readonly name: string } }): Key {
  return `${object.metadata.namespace}/${object.metadata.name}`;
}

/** True when `candidate` was written after `current`. */
export function isNewer(candidate: Pick<ObjectMeta, 'resourceVersion'>, current: Pick<ObjectMeta, 'resourceVersion'>): boolean {
  return BigInt(candidate.resourceVersion) > BigInt(current.resourceVersion);
}
