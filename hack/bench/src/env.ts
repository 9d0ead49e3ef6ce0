/** The environment of this process; nothing else here reads it. */
export const processEnvironment = (): Readonly<Record<string, string | undefined>> => process.env;
