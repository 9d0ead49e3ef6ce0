import { Counter, Gauge, Histogram, type Registry } from '@satellite/kit/telemetry';
import { METRICS, type MetricName } from './metric-list.js';

/** Makes the metrics of the list in a registry. */
export class Instruments {
  constructor(private readonly registry: Registry) {}

  counter(name: MetricName): Counter {
    return new Counter(this.settings(name));
  }

  /** @param read called when metrics are read; sets what it finds */
  gauge(name: MetricName, read?: (gauge: Gauge) => void): Gauge {
    return new Gauge({ ...this.settings(name), ...(read && { collect() { read(this); } }) });
  }

  histogram(name: MetricName): Histogram {
    return new Histogram({ ...this.settings(name), buckets: [...(METRICS[name].buckets ?? [])] });
  }

  private settings(name: MetricName) {
    const { help, labels } = METRICS[name];
    return { name, help, labelNames: [...labels], registers: [this.registry] };
  }
}
