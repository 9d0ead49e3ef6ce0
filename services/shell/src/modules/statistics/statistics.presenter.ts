import type { QuotaPressureView, StatsView } from './statistics.dto.js';
import type { PressedLimit, Statistics } from './statistics.service.js';

export function presentStatistics({ scope, at, users, organizations, apps, signIns, revenue, quota }: Statistics, currency: string): StatsView {
  const { byStatus, enabled } = apps;
  return {
    scope, at,
    users: { ...users },
    organizations: { ...organizations },
    apps: { total: byStatus.active + byStatus.degraded + byStatus.maintenance + byStatus.inactive, ...byStatus, enabled },
    signIns: signIns.map((day) => ({ ...day })),
    revenue: { currency, monthlyRevenue: sumOf(revenue.map(({ monthlyRevenue }) => monthlyRevenue)), plans: revenue.map((plan) => ({ ...plan })) },
    quota: { total: quota.total, limits: quota.limits.map(presentPressure) },
  };
}

function presentPressure({ limit, used, ...rest }: PressedLimit): QuotaPressureView {
  return { ...rest, limit, used, percent: limit === 0 ? null : Math.floor((used * 1000) / limit) / 10 };
}

/** Of amounts with two decimals, which binary fractions would not add up exactly. */
function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + Math.round(amount * 100), 0) / 100;
}
