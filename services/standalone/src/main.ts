import { messageOf } from '@satellite/kit/core';
import { processEnvironment, readStandaloneConfig } from './env.js';
import { startPlatform, type Platform } from './platform.js';
import { Progress } from './progress.js';
import { welcome } from './welcome.js';

const progress = new Progress(process.stdout);

/** Waits for the first reason to stop; a second Ctrl-C while stopping ends everything at once. */
async function main(): Promise<number> {
  const config = readStandaloneConfig(processEnvironment());
  progress.say(`\nSatellite Platform, data in ${config.dataFolder}\n`);
  const signals = listenForSignals();
  const starting = startPlatform(config, (title) => progress.step(title), (problem) => progress.say(`  ! ${problem}`));
  const platform = await Promise.race([starting, signals.first]);
  if (platform === 'signal') {
    // The start takes seconds and leaves nothing behind when it may finish; a second signal does not wait for it.
    void signals.second.then(() => process.exit(1));
    return stop(await starting, signals);
  }
  progress.end();
  progress.say(welcome(config, platform, progress.total()));
  const failure = await Promise.race([signals.first, platform.failed]).catch((error: unknown) => error);
  if (failure !== 'signal') progress.say(`\n${messageOf(failure)}`);
  await stop(platform, signals);
  return failure === 'signal' ? 0 : 1;
}

async function stop(platform: Platform, signals: Signals): Promise<number> {
  progress.say('\nStopping. (Ctrl-C again: at once)');
  const gentle = platform.stop({ onClose: (name) => progress.step(`stopping ${name}`) });
  const forced = signals.second.then(() => platform.stop({ force: true }));
  await Promise.race([gentle, forced]);
  progress.end();
  progress.say('Stopped.\n');
  return 0;
}

interface Signals {
  readonly first: Promise<'signal'>;
  readonly second: Promise<'signal'>;
}

function listenForSignals(): Signals {
  const waiting: ((value: 'signal') => void)[] = [];
  const next = (): Promise<'signal'> => new Promise((resolve) => waiting.push(resolve));
  const signals = { first: next(), second: next() };
  // The third is for a process that does not even stop by force.
  const take = (): void => (waiting.length > 0 ? waiting.shift()?.('signal') : process.exit(1));
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, take);
  return signals;
}

/** Says what went wrong in a sentence; a stack only for what nobody expected. */
function report(error: unknown): void {
  progress.end('failed');
  const expected = error instanceof Error && 'code' in error && 'kind' in error;
  const text = expected || (error instanceof Error && error.name === 'InvalidEnvironment') ? messageOf(error) : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`\n${text}\n\n`);
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    report(error);
    process.exit(1);
  },
);

