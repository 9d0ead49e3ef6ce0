import { parser } from '@prometheus-io/lezer-promql';
import { ALERTS } from '../scripts/alerts.js';
import { PANELS } from '../scripts/panels.js';
import { METRICS, type MetricName } from '../src/monitoring/metric-list.js';

const queries = [...PANELS.flatMap(({ title, queries: own }) => own.map(({ expr }) => ({ where: title, expr }))), ...ALERTS.map(({ alert, expr }) => ({ where: alert, expr }))];

/** The metrics that a query names, or where Prometheus would refuse it. */
function read(expr: string): { readonly metrics: readonly string[]; readonly errors: readonly string[] } {
  const metrics: string[] = [];
  const errors: string[] = [];
  parser.parse(expr).iterate({
    enter({ name, type, from, to }) {
      if (type.isError) errors.push(`at ${from}: ${expr.slice(from, from + 30)}`);
      // The selector of a series begins with its name.
      if (name === 'VectorSelector') metrics.push(expr.slice(from, to).replace(/\{.*$/s, ''));
    },
  });
  return { metrics, errors };
}

/** A histogram is read by its series. */
function isMeasured(name: string): boolean {
  const base = name.replace(/_(?:bucket|count|sum)$/, '');
  return base === name ? METRICS[name as MetricName]?.type !== 'histogram' && name in METRICS : METRICS[base as MetricName]?.type === 'histogram';
}

describe('dashboard and alerts', () => {
  it('would notice a query that Prometheus refuses', () => {
    expect(read('sum by (le (rate(x[5m]))').errors).not.toEqual([]);
  });

  it.each(queries)('$where: $expr is a query of metrics that there are', ({ expr }) => {
    const { metrics, errors } = read(expr);
    expect(errors).toEqual([]);
    expect(metrics.length).toBeGreaterThan(0);
    expect(metrics.filter((name) => !isMeasured(name))).toEqual([]);
  });

  it('name each alert once and say what to do', () => {
    expect(new Set(ALERTS.map(({ alert }) => alert)).size).toBe(ALERTS.length);
    for (const { description } of ALERTS) expect(description.length).toBeGreaterThan(30);
  });
});
