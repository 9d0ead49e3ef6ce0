import { systemClock, type Clock } from '@satellite/kit/core';
import type { Database } from '@satellite/kit/db';
import { actsOnAll, type UserActor } from '../../actor.js';
import type { PlanRevenue, SignInDay, StatisticsRepository, StatusCounts } from './statistics.repository.js';

/** How many apps there are; the apps module supplies it. */
export interface AppFigures {
  counts(organizationId: string | undefined): Promise<AppCounts>;
}

export interface AppCounts {
  readonly byStatus: Readonly<Record<'active' | 'degraded' | 'maintenance' | 'inactive', number>>;
  /** For the organization; null for the whole platform. */
  readonly enabled: number | null;
}

/** Which limits are nearly used up; the subscriptions module supplies it. */
export interface QuotaFigures {
  pressed(organizationId: string | undefined, limit: number): Promise<{ readonly total: number; readonly limits: readonly PressedLimit[] }>;
}

export interface PressedLimit {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly limitKey: string;
  readonly limit: number;
  readonly used: number;
  readonly period: 'monthly' | 'daily' | 'total';
}

export interface Statistics {
  readonly scope: 'platform' | 'organization';
  readonly at: Date;
  readonly users: StatusCounts;
  readonly organizations: StatusCounts;
  readonly apps: AppCounts;
  readonly signIns: readonly SignInDay[];
  readonly revenue: readonly PlanRevenue[];
  readonly quota: Awaited<ReturnType<QuotaFigures['pressed']>>;
}

export interface StatisticsServiceDeps {
  readonly db: Database;
  readonly statistics: StatisticsRepository;
  readonly apps: AppFigures;
  readonly quotas: QuotaFigures;
  readonly clock?: Clock;
}

const DAYS = 30;
const DAY_MS = 86_400_000;
const SHOWN_LIMITS = 100;

/** Figures for dashboards: of the whole platform for those who act on all organizations, else of one's own organization. */
export class StatisticsService {
  constructor(private readonly deps: StatisticsServiceDeps) {}

  /** All figures are of one moment, so that they agree with each other. */
  read(actor: UserActor): Promise<Statistics> {
    const { db, statistics, apps, quotas, clock = systemClock } = this.deps;
    const organizationId = actsOnAll(actor) ? undefined : actor.organizationId;
    const at = new Date(clock.now());
    const firstDay = new Date((Math.floor(at.getTime() / DAY_MS) - DAYS + 1) * DAY_MS);
    return db.snapshot(async () => ({
      scope: organizationId === undefined ? 'platform' : 'organization',
      at,
      users: await statistics.users(organizationId),
      organizations: await statistics.organizations(organizationId),
      apps: await apps.counts(organizationId),
      signIns: everyDay(firstDay, await statistics.signIns(organizationId, firstDay)),
      revenue: await statistics.revenue(organizationId),
      quota: await quotas.pressed(organizationId, SHOWN_LIMITS),
    }));
  }
}

/** Days without any sign-in as well. */
function everyDay(first: Date, found: readonly SignInDay[]): SignInDay[] {
  const known = new Map(found.map((day) => [day.date, day]));
  return Array.from({ length: DAYS }, (_, index) => {
    const date = new Date(first.getTime() + index * DAY_MS).toISOString().slice(0, 10);
    return known.get(date) ?? { date, succeeded: 0, people: 0, refused: 0 };
  });
}
