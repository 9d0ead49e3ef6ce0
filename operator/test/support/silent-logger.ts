import { createLogger, type Logger } from '@satellite/kit/telemetry';

/** A logger that says nothing. */
export const silentLogger: Logger = createLogger({ service: 'operator-test', level: 'silent' });
