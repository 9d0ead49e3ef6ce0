import { Counter, Histogram, type Registry } from '@satellite/kit/telemetry';

/** How many decisions of which kind, and how long they take; no label names a person or a permission. */
export class DecisionMetrics {
  private readonly decisions: Counter<'allowed' | 'reason'>;
  private readonly seconds: Histogram;

  constructor(registry: Registry) {
    this.decisions = new Counter({ name: 'rbac_decisions_total', help: 'Permission checks by answer', labelNames: ['allowed', 'reason'], registers: [registry] });
    this.seconds = new Histogram({
      name: 'rbac_decision_duration_seconds',
      help: 'Time of one permission check without the way to and from the caller',
      buckets: [0.00001, 0.00005, 0.0001, 0.0005, 0.001, 0.005, 0.025, 0.1, 0.5, 1],
      registers: [registry],
    });
  }

  /** One decision that took so many seconds. */
  decided(allowed: boolean, reason: string, seconds: number): void {
    this.decisions.inc({ allowed: String(allowed), reason });
    this.seconds.observe(seconds);
  }
}
