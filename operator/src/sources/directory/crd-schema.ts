/** The parts of an OpenAPI v3 schema of a custom resource definition that we read. */
export interface CrdSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, CrdSchema>>;
  readonly items?: CrdSchema;
  readonly required?: readonly string[];
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-validations'?: readonly { readonly rule: string; readonly message?: string; readonly fieldPath?: string }[];
}

/** One thing to change in a manifest. */
export interface SchemaProblem {
  readonly path: string;
  readonly message: string;
}
