import type { RequestListener } from 'node:http';
import type { HostParts } from './parts.js';

/** A satellite that is ready to serve inside another process. */
export interface RunningSatellite {
  /** Answers at the root and below the path of its public address. */
  readonly app: RequestListener;
  close(): Promise<void>;
}

/**
 * What the package of a satellite exports as `satellite`, so that the standalone platform can run it in its own
 * process: exactly what its main.ts does, with parts that the host brings.
 */
export interface SatelliteModule {
  /** Variables that want 32 random bytes in base64, the same at every start. */
  readonly keys?: readonly string[];
  /** Throws InvalidEnvironment when a variable is missing or wrong. */
  start(environment: Readonly<Record<string, string | undefined>>, parts: HostParts): Promise<RunningSatellite>;
}
