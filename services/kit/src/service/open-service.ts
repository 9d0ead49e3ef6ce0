import type { RequestListener } from 'node:http';
import { connectRedis } from '../cache/index.js';
import { InvalidEnvironment } from '../config/index.js';
import type { Database } from '../db/index.js';
import { createLogger, createMetrics, type Logger, type LogLevel } from '../telemetry/index.js';
import type { Background, HostParts, ServiceParts } from './parts.js';

/** A service that is ready to serve. */
export interface Service<App extends RequestListener, Container> {
  /** Serves /api, /livez, /readyz and /metrics; it does not listen. */
  readonly app: App;
  readonly container: Container;
  /** Answers requests that only wait for news; call it before the server closes. */
  drain(): void;
  /** Ends timers and connections; requests that run should have ended before. */
  close(): Promise<void>;
}

export interface ServiceRecipe<App extends RequestListener, Container> {
  /** Of log lines, metrics and the database's context. */
  readonly name: string;
  readonly redisUrl: string | undefined;
  readonly logLevel: LogLevel;
  /** Connection to the service's own database, with its entities and migrations. */
  readonly openDatabase: (logger: Logger) => Database;
  readonly buildContainer: (parts: ServiceParts) => Container;
  /** What a fresh database needs beside its tables; before background work starts. */
  readonly seed?: (container: Container) => Promise<void>;
  readonly buildApp: (container: Container) => App;
}

/** A service's parts, of which none has been started. */
export interface Connected<Container> extends ServiceParts {
  readonly container: Container;
  disconnect(): Promise<void>;
}

/** Builds a service without starting it; what was opened is closed again when that fails. */
export async function connectService<App extends RequestListener, Container>(recipe: ServiceRecipe<App, Container>, given: HostParts): Promise<Connected<Container>> {
  const logger = given.logger ?? createLogger({ service: recipe.name, level: recipe.logLevel });
  const redis = given.redis ?? connectRedis(requiredRedisUrl(recipe.redisUrl), logger);
  const db = recipe.openDatabase(logger);
  const metrics = createMetrics({ service: recipe.name, processMetrics: given.processMetrics ?? true });
  const disconnect = async (): Promise<void> => {
    await db.close();
    if (given.redis === undefined) redis.disconnect();
  };
  try {
    return { db, redis, metrics, logger, container: recipe.buildContainer({ db, redis, metrics, logger }), disconnect };
  } catch (error) {
    await disconnect();
    throw error;
  }
}

/** Connects, migrates, seeds and starts a service; what was opened is closed again when a step fails. */
export async function openService<App extends RequestListener, Container extends { readonly background: readonly Background[] }>(recipe: ServiceRecipe<App, Container>, given: HostParts): Promise<Service<App, Container>> {
  const { db, container, disconnect } = await connectService(recipe, given);
  const started: Background[] = [];
  const close = async (): Promise<void> => {
    for (const part of started.reverse()) await part.stop();
    await disconnect();
  };
  try {
    await db.migrate();
    await recipe.seed?.(container);
    for (const part of container.background) {
      started.push(part); // before: a part that fails half-way has something to stop
      await part.start();
    }
    return { app: recipe.buildApp(container), container, drain: () => started.forEach((part) => part.drain?.()), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function requiredRedisUrl(url: string | undefined): string {
  if (url === undefined) throw new InvalidEnvironment('The configuration is not usable. Set or correct:\n  REDIS_URL: is required');
  return url;
}
