/** What somebody may give to others. */
export interface Holdings {
  readonly permissions: ReadonlySet<string>;
  /** Holds a system role that administers the organization or the platform; only they may make others that. */
  readonly administrator: boolean;
}

/** The codes that are wanted but not held, each once. */
export function missingFrom({ permissions }: Pick<Holdings, 'permissions'>, wanted: readonly string[]): string[] {
  return [...new Set(wanted)].filter((code) => !permissions.has(code)).sort();
}
