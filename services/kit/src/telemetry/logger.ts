import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';

export type Logger = Pick<PinoLogger, 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'> & {
  /** @param options `redact: []` for lines in which no secret can be: looking for one costs more than the line */
  child(bindings: Record<string, unknown>, options?: { redact: [] }): Logger;
};

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LoggerOptions {
  /** `service` field of every line. */
  readonly service: string;
  readonly level?: LogLevel;
  /** Where lines go; standard output unless given. */
  readonly destination?: DestinationStream;
}

/** Names whose values must never reach a log, at the two depths in which they occur. */
const SECRET_NAMES = ['password', 'newPassword', 'currentPassword', 'clientSecret', 'secret', 'token', 'accessToken', 'refreshToken', 'idpToken', 'authorization', 'cookie'];

/** JSON lines with ISO time; levels: ERROR is zero in a healthy system, WARN is worth a look, INFO tells the story. */
export function createLogger(options: LoggerOptions): Logger {
  return pino(
    {
      level: options.level ?? 'info',
      base: { service: options.service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    },
    options.destination ?? pino.destination({ fd: 1, sync: false }),
  );
}
