import { messageOf } from '@satellite/kit/core';
import { createLogger, createMetrics } from '@satellite/kit/telemetry';
import { readOperatorEnvironment, type OperatorEnvironment } from './env.js';
import { HealthServer } from './runtime/health.js';
import { assembleOperator } from './wiring.js';

/** The process: starts, waits for a signal or the loss of the lead, stops in order. Answers the exit code. */
async function run(env: OperatorEnvironment): Promise<number> {
  const logger = createLogger({ service: 'operator', level: env.logLevel });
  const metrics = createMetrics({ service: 'operator' });
  const { operator, close } = await assembleOperator(env, logger, metrics);
  const health = new HealthServer({ ...env.health, ready: () => operator.ready(), unhealthy: () => operator.unhealthy(), metrics });
  logger.info({ port: await health.start() }, 'health and metrics are served');
  const signalled = new Promise<0>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(0));
  });
  // Another process works now: what this one still does would be done twice.
  const lost = operator.lost.then(() => 1 as const);
  const started = operator.start().then(() => Promise.race([signalled, lost]));
  const code = await Promise.race([signalled, started]);
  await operator.stop(code === 0 ? undefined : 0);
  await health.stop();
  await close();
  return code;
}

let environment: OperatorEnvironment | undefined;
try {
  environment = readOperatorEnvironment();
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
if (environment) process.exit(await run(environment));
