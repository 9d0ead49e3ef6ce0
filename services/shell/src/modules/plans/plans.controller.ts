import type express from 'express';
import { Body, Controller, Get, Header, Path, Post, Put, Query, Request, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { Page } from '@satellite/kit/core';
import { entityTag } from '@satellite/kit/http';
import type { Repeatable } from '../../repeatable.http.js';
import type { ErrorView } from '../../error.dto.js';
import type { Uuid } from '../../uuid.dto.js';
import type { PlanLimit } from './plan.rules.js';
import type { CreatePlanRequest, PlanView, PlanWithServicesView, SetLimitsRequest, UpdatePlanRequest } from './plans.dto.js';
import { presentPlan, presentPlanWithContents } from './plans.presenter.js';
import type { PlansService } from './plans.service.js';

@Route('plans')
@Tags('Plans')
@Response<ErrorView>(401, 'The token is not valid')
export class PlansController extends Controller {
  constructor(
    private readonly plans: PlansService,
    private readonly repeatable: Repeatable,
  ) {
    super();
  }

  /**
   * Lists the plans on offer; with plans:list also hidden and deprecated ones.
   * @param page from 1
   * @param limit rows a page, 1 to 100
   * @param sort field, `-` before it for descending: code, name, section, status, monthlyPrice, yearlyPrice, createdAt, updatedAt
   * @param filter JSON, for example {"section":"business"}
   */
  @Get()
  @Security('optional_bearer')
  @Response<ErrorView>(400, 'A parameter is wrong')
  async list(@Request() request: express.Request, @Query() page?: number, @Query() limit?: number, @Query() sort?: string, @Query() filter?: string): Promise<Page<PlanView>> {
    return (await this.plans.list({ page, limit, sort, filter }, holds(request, 'plans:list'))).map(presentPlan);
  }

  /** A plan on offer with its apps and limits; with plans:read also a hidden or deprecated one. */
  @Get('{id}')
  @Security('optional_bearer')
  @Response<ErrorView>(404, 'There is no such plan')
  async get(@Request() request: express.Request, @Path() id: Uuid): Promise<PlanWithServicesView> {
    const found = await this.plans.get(id, holds(request, 'plans:read'));
    this.tag(found.plan.version);
    return presentPlanWithContents(found);
  }

  /**
   * Adds a plan.
   * @param idempotencyKey a request with the same key and body within 24 hours gets the same answer and does nothing
   */
  @Post()
  @Security('bearer', ['plans:write'])
  @SuccessResponse(201, 'Created')
  @Response<ErrorView>(400, 'A field is wrong')
  @Response<ErrorView>(403, 'The permission is missing')
  @Response<ErrorView>(409, 'The code is in use, or a request with this Idempotency-Key is being processed')
  @Response<ErrorView>(422, 'The Idempotency-Key belongs to another request')
  async create(@Request() request: express.Request, @Body() body: CreatePlanRequest, @Header('Idempotency-Key') idempotencyKey?: string): Promise<PlanView> {
    const { tagline = null, features = [], status = 'active', serviceIds = [], ...given } = body;
    const work = () => this.plans.create({ ...given, tagline, features, status, serviceIds });
    return this.tagged(await this.repeatable.once(request, idempotencyKey, { name: 'plans.create', work, present: presentPlan }));
  }

  /** Changes a plan; absent fields stay. Organizations on it feel the change at once. */
  @Put('{id}')
  @Security('bearer', ['plans:write'])
  @Response<ErrorView>(400, 'A field is wrong')
  @Response<ErrorView>(403, 'The permission is missing')
  @Response<ErrorView>(404, 'There is no such plan')
  @Response<ErrorView>(409, 'The status cannot follow the present one, or the free plan would cost something')
  @Response<ErrorView>(412, 'If-Match names another version')
  async update(@Path() id: Uuid, @Body() body: UpdatePlanRequest, @Header('If-Match') ifMatch?: string): Promise<PlanView> {
    return this.tagged(presentPlan(await this.plans.update(id, body, ifMatch)));
  }

  /** Limits of a plan, by key. */
  @Get('{id}/limits')
  @Security('bearer', ['plans:read'])
  @Response<ErrorView>(403, 'The permission is missing')
  @Response<ErrorView>(404, 'There is no such plan')
  async limits(@Path() id: Uuid): Promise<PlanLimit[]> {
    const { plan, limits } = await this.plans.limits(id);
    this.tag(plan.version);
    return [...limits];
  }

  /** Replaces all limits of a plan. */
  @Put('{id}/limits')
  @Security('bearer', ['plans:write'])
  @Response<ErrorView>(400, 'A limit is wrong, or nobody counts its key')
  @Response<ErrorView>(403, 'The permission is missing')
  @Response<ErrorView>(404, 'There is no such plan')
  @Response<ErrorView>(412, 'If-Match names another version')
  async setLimits(@Path() id: Uuid, @Body() body: SetLimitsRequest, @Header('If-Match') ifMatch?: string): Promise<PlanLimit[]> {
    const { plan, limits } = await this.plans.setLimits(id, body.limits, ifMatch);
    this.tag(plan.version);
    return [...limits];
  }

  private tagged(view: PlanView): PlanView {
    this.tag(view.version);
    return view;
  }

  private tag(version: number): void {
    this.setHeader('ETag', entityTag(version));
  }
}

function holds(request: express.Request, permission: string): boolean {
  return request.user?.permissions.has(permission) === true;
}
