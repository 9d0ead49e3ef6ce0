import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export { Counter, Gauge, Histogram, Registry };

export interface MetricsOptions {
  /** Label `service` of every series. */
  readonly service: string;
  /** Process and Node.js series too; off when several services share one process. */
  readonly processMetrics?: boolean;
}

/** A registry of its own for each service, so that several can live in one process. */
export function createMetrics(options: MetricsOptions): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service: options.service });
  if (options.processMetrics ?? true) collectDefaultMetrics({ register: registry });
  return registry;
}
