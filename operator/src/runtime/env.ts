/** Environment of a child process: ours, and what it is told besides. Nothing else in the runtime reads the environment. */
export function childEnvironment(extra: Readonly<Record<string, string>>): Record<string, string | undefined> {
  return { ...process.env, ...extra };
}
