import { randomUUID } from 'node:crypto';
import { InvalidFields, parseListQuery, type ListParameters, type ListRules, type Page } from '@satellite/kit/core';
import { kept } from '@satellite/kit/db';
import { requireMatch } from '@satellite/kit/http';
import { brokenUnique } from '../../tenancy.js';
import { snapshot, type AuditEvent } from '../audit/index.js';
import { NEXT_STATUS, Plan, PLAN_SECTIONS, PLAN_STATUSES } from './plan.entity.js';
import { parseLimits, parsePlan, type PlanFields, type PlanLimit } from './plan.rules.js';
import { FreePlanNeeded, IllegalPlanStatus, PlanCodeInUse, PlanNotFound } from './plans.errors.js';
import type { PlanService, PlansRepository } from './plans.repository.js';

/** Code of the plan of organizations that pay for nothing. Made by the migration; no code changes, no plan is deleted. */
export const FREE_PLAN = 'HOBBY';

const LIST_RULES: ListRules = {
  fields: { code: 'string', name: 'string', section: { oneOf: PLAN_SECTIONS }, status: { oneOf: PLAN_STATUSES }, monthlyPrice: 'number', yearlyPrice: 'number', createdAt: 'timestamp', updatedAt: 'timestamp' },
  sort: ['code', 'name', 'section', 'status', 'monthlyPrice', 'yearlyPrice', 'createdAt', 'updatedAt'],
  defaultSort: 'monthlyPrice',
};

/** Makes changes of what organizations see take turns, and tells every process after the commit; the app registry supplies it. */
export interface VisibleChanges {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Says in the audit trail what `work` has done. */
  record(event: AuditEvent): Promise<void>;
}

/** A plan with the apps it names and its limits. */
export interface PlanWithContents {
  readonly plan: Plan;
  readonly services: readonly PlanService[];
  readonly limits: readonly PlanLimit[];
}

export type PlanChanges = { readonly [Field in keyof PlanFields]?: PlanFields[Field] | undefined };

/** Plans as everybody sees and administrators change them. */
export class PlansService {
  constructor(
    private readonly plans: PlansRepository,
    private readonly changes: VisibleChanges,
  ) {}

  /** @param all also hidden and deprecated ones */
  list(parameters: ListParameters, all: boolean): Promise<Page<Plan>> {
    return this.plans.page(parseListQuery(parameters, LIST_RULES), all);
  }

  /** Throws PlanNotFound, without `all` also for plans that are not offered. */
  async get(id: string, all: boolean): Promise<PlanWithContents> {
    const plan = await this.plans.find(id);
    if (plan === undefined || !(all || plan.status === 'active')) throw new PlanNotFound();
    return { plan, services: await this.plans.services(plan.serviceIds), limits: await this.limitsOf(plan) };
  }

  /** Throws InvalidFields or PlanCodeInUse. */
  async create(given: PlanFields): Promise<Plan> {
    const fields = parsePlan(given);
    await this.assertRegistered(fields.serviceIds, []);
    const plan = Object.assign(new Plan(), fields, { id: randomUUID() });
    try {
      return await this.changes.run(async () => {
        await this.plans.add(plan);
        await this.changes.record({ action: 'plans.create', organizationId: null, target: { type: 'plan', id: plan.id }, after: snapshot('plan', plan) });
        return kept(plan);
      });
    } catch (error) {
      throw brokenUnique(error) === 'plans_code_key' ? new PlanCodeInUse(fields.code) : error;
    }
  }

  /** Changes what is given. Throws PlanNotFound, StaleRecord, InvalidFields, IllegalPlanStatus or FreePlanNeeded. */
  update(id: string, given: PlanChanges, ifMatch?: string): Promise<Plan> {
    return this.changing(id, ifMatch, async (plan) => {
      const recorded = snapshot('plan', plan);
      const before = fieldsOf(plan);
      const after = parsePlan({ ...before, ...present(given) });
      if (after.code !== before.code) throw new InvalidFields([{ field: 'code', message: `cannot change ("${before.code}"); make another plan` }]);
      if (after.status !== before.status && !NEXT_STATUS[before.status].includes(after.status)) throw new IllegalPlanStatus(before.status, after.status, NEXT_STATUS[before.status]);
      if (before.code === FREE_PLAN && (after.monthlyPrice > 0 || after.yearlyPrice > 0 || after.status === 'deprecated')) throw new FreePlanNeeded(before.code);
      await this.assertRegistered(after.serviceIds, before.serviceIds);
      Object.assign(plan, after);
      await this.changes.record({ action: 'plans.update', organizationId: null, target: { type: 'plan', id: plan.id }, before: recorded, after: snapshot('plan', plan) });
    });
  }

  /** Limits of a plan with the version that they belong to. */
  async limits(id: string): Promise<{ plan: Plan; limits: readonly PlanLimit[] }> {
    const plan = await this.plans.find(id);
    if (plan === undefined) throw new PlanNotFound();
    return { plan, limits: await this.limitsOf(plan) };
  }

  /** Replaces all limits of a plan. Throws PlanNotFound, StaleRecord or InvalidFields. */
  async setLimits(id: string, given: readonly PlanLimit[], ifMatch?: string): Promise<{ plan: Plan; limits: readonly PlanLimit[] }> {
    const plan = await this.changing(id, ifMatch, async (locked) => {
      const before = snapshot('plan', { limits: await this.limitsOf(locked) });
      await this.plans.replaceLimits(locked.id, parseLimits(given, await this.plans.knownLimitKeys()));
      const after = snapshot('plan', { limits: await this.limitsOf(locked) });
      await this.changes.record({ action: 'plans.set_limits', organizationId: null, target: { type: 'plan', id: locked.id }, before, after });
      locked.updatedAt = new Date(); // limits are part of the plan: its version counts their changes too
    });
    return { plan, limits: await this.limitsOf(plan) };
  }

  private async changing(id: string, ifMatch: string | undefined, work: (plan: Plan) => Promise<void>): Promise<Plan> {
    if ((await this.plans.find(id)) === undefined) throw new PlanNotFound(); // a 404 needs no lock
    return this.changes.run(async () => {
      const plan = await this.plans.lock(id);
      if (plan === undefined) throw new PlanNotFound();
      requireMatch(ifMatch, plan.version);
      await work(plan);
      await this.plans.flush();
      return plan;
    });
  }

  private async limitsOf(plan: Plan): Promise<readonly PlanLimit[]> {
    return (await this.plans.limitsOf([plan.id])).get(plan.id) ?? [];
  }

  /** Apps must be there when they are added to a plan; one that has left the registry since stays, or a plan of that app alone would include everything. */
  private async assertRegistered(ids: readonly string[], before: readonly string[]): Promise<void> {
    const isUuid = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
    const added = ids.filter((id) => !before.includes(id));
    const known = new Set((await this.plans.services(added.filter(isUuid))).map(({ id }) => id));
    const problems = added.filter((id) => !known.has(id)).map((id) => ({ field: 'serviceIds', message: `"${id.slice(0, 64)}" is not the id of a registered app` }));
    if (problems.length > 0) throw new InvalidFields(problems);
  }
}

function fieldsOf({ code, name, tagline, monthlyPrice, yearlyPrice, section, ctaLabel, ctaLink, features, status, serviceIds }: Plan): PlanFields {
  return { code, name, tagline: tagline ?? null, monthlyPrice, yearlyPrice, section, ctaLabel, ctaLink, features, status, serviceIds };
}

function present(given: PlanChanges): Partial<PlanFields> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<PlanFields>;
}
