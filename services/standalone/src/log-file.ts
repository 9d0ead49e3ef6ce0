import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createLogger, type Logger, type LogLevel } from '@satellite/kit/telemetry';

const KEEP_BYTES = 20 * 1024 * 1024;

/** Loggers that write to one file, so that the terminal stays readable. */
export interface LogFile {
  readonly path: string;
  logger(service: string): Logger;
  close(): Promise<void>;
}

/** Opens the log for appending; a big one is put aside as `.1` first. */
export async function openLogFile(path: string, options: { level: LogLevel; alsoStdout: boolean }): Promise<LogFile> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  if (((await stat(path).catch(() => undefined))?.size ?? 0) > KEEP_BYTES) await rename(path, `${path}.1`);
  const file = createWriteStream(path, { flags: 'a', mode: 0o600 });
  await once(file, 'open');
  const destination = {
    write: (line: string): void => {
      if (!file.writableEnded) file.write(line);
      if (options.alsoStdout) process.stdout.write(line);
    },
  };
  return {
    path,
    logger: (service) => createLogger({ service, level: options.level, destination }),
    close: async () => {
      file.end();
      await once(file, 'close');
    },
  };
}
