/** People, by their status now. */
export interface PeopleStatsView {
  /** @isInt */
  total: number;
  /** @isInt */
  active: number;
  /** @isInt */
  suspended: number;
  /**
   * Came in the last 30 times 24 hours.
   * @isInt
   */
  new30Days: number;
}

/** Organizations, by their status now; one's own is 1. */
export interface OrganizationStatsView {
  /** @isInt */
  total: number;
  /** @isInt */
  active: number;
  /** @isInt */
  suspended: number;
  /**
   * Came in the last 30 times 24 hours.
   * @isInt
   */
  new30Days: number;
}

/** Registered apps, by their status now. */
export interface AppStatsView {
  /** @isInt */
  total: number;
  /** @isInt */
  active: number;
  /** @isInt */
  degraded: number;
  /** @isInt */
  maintenance: number;
  /** @isInt */
  inactive: number;
  /**
   * Of those that are not inactive: enabled for the organization; null for the whole platform.
   * @isInt
   */
  enabled: number | null;
}

/** Sign-ins of one day in UTC, with a password and through identity providers. */
export interface SignInDayView {
  /** YYYY-MM-DD. */
  date: string;
  /**
   * Sign-ins that succeeded.
   * @isInt
   */
  succeeded: number;
  /**
   * Different people among them.
   * @isInt
   */
  people: number;
  /**
   * Attempts that were refused; of an organization those for accounts of its own.
   * @isInt
   */
  refused: number;
}

/** What a plan brings in. */
export interface PlanRevenueView {
  planCode: string;
  planName: string;
  /**
   * Organizations that have the plan now, paid for or not.
   * @isInt
   */
  organizations: number;
  /**
   * Subscriptions that are paid for: begun at the payment processor, and neither failed nor over.
   * @isInt
   */
  paying: number;
  /**
   * Subscriptions whose last payment failed; in none of the amounts.
   * @isInt
   */
  pastDue: number;
  /**
   * Subscriptions that are being tried; in none of the amounts.
   * @isInt
   */
  trials: number;
  /** Amount a month of those that are paid by the month, at the plan's present price; in the unit of the currency, two decimals. */
  billedMonthly: number;
  /** Amount a year of those that are paid by the year, at the plan's present price; in the unit of the currency, two decimals. */
  billedYearly: number;
  /** billedMonthly and a twelfth of billedYearly, rounded half up to two decimals. */
  monthlyRevenue: number;
}

export interface RevenueStatsView {
  /** ISO 4217, lower case. */
  currency: string;
  /** Sum of the plans' monthlyRevenue. */
  monthlyRevenue: number;
  /** Plans that somebody has or pays for, the highest revenue first. */
  plans: PlanRevenueView[];
}

/** A limit of which an organization has used more than 80 %. */
export interface QuotaPressureView {
  organizationId: string;
  organizationName: string;
  limitKey: string;
  /** @isLong */
  limit: number;
  /** @isLong */
  used: number;
  /** Percent of the limit, rounded down to one decimal; null where the limit is 0. */
  percent: number | null;
  period: 'monthly' | 'daily' | 'total';
}

export interface QuotaStatsView {
  /**
   * Limits under pressure in all.
   * @isInt
   */
  total: number;
  /** The 100 highest of them. */
  limits: QuotaPressureView[];
}

/** Figures of one moment, exact and not cached. */
export interface StatsView {
  /** Of the whole platform, or of the caller's organization. */
  scope: 'platform' | 'organization';
  /** The moment. */
  at: Date;
  users: PeopleStatsView;
  organizations: OrganizationStatsView;
  apps: AppStatsView;
  /** The last 30 days in UTC, today included, the oldest first. Days from before the audit trail begins (see APP_ENV_AUDIT_RETENTION_DAYS) are 0. */
  signIns: SignInDayView[];
  revenue: RevenueStatsView;
  quota: QuotaStatsView;
}
