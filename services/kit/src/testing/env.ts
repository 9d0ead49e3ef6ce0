/** The one variable of the harness: URL of a role that may create databases on a server for tests. */
const SERVER_VARIABLE = 'TEST_DATABASE_URL';
/** Distinguishes the databases of this run from those of another one on the same server. */
const RUN_VARIABLE = 'TEST_RUN_ID';

/** The test server of this run, as the global setup announced it. */
export function testServer(): { url: string; run: string; worker: string } {
  const url = process.env[SERVER_VARIABLE];
  const run = process.env[RUN_VARIABLE];
  if (!url || !run) throw new Error(`${SERVER_VARIABLE} is not set: tests that need PostgreSQL belong to the jest project "api", whose global setup starts it.`);
  return { url, run, worker: process.env['JEST_WORKER_ID'] ?? '0' };
}

/** The server a person gave instead of the embedded one. */
export function givenServer(): string | undefined {
  return process.env[SERVER_VARIABLE] || undefined;
}

/** Makes the server known to the workers, which inherit the environment. */
export function announceServer(url: string | undefined, run: string | undefined): void {
  for (const [name, value] of [[SERVER_VARIABLE, url], [RUN_VARIABLE, run]] as const) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
