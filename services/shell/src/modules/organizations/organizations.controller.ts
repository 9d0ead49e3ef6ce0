import type express from 'express';
import { Body, Controller, Get, Header, Path, Put, Query, Request, Response, Route, Security, Tags } from '@tsoa/runtime';
import type { Page } from '@satellite/kit/core';
import { entityTag } from '@satellite/kit/http';
import { actorOf } from '../auth/index.js';
import type { ErrorView } from '../../error.dto.js';
import type { Uuid } from '../../uuid.dto.js';
import type { OrganizationView, OrganizationWithUsersView, SetPlanRequest, SuccessView, UpdateOrganizationRequest } from './organizations.dto.js';
import { presentOrganization, presentOrganizationWithUsers } from './organizations.presenter.js';
import type { OrganizationsService } from './organizations.service.js';

@Route('organizations')
@Tags('Organizations')
@Response<ErrorView>(401, 'No valid token')
@Response<ErrorView>(403, 'The permission is missing')
export class OrganizationsController extends Controller {
  constructor(private readonly organizations: OrganizationsService) {
    super();
  }

  /**
   * Lists all organizations of the platform.
   * @param page from 1
   * @param limit rows a page, 1 to 100
   * @param sort field, `-` before it for descending: name, slug, type, status, subscriptionPlan, createdAt, updatedAt
   * @param filter JSON, for example {"status":"active","name":{"contains":"acme"}}
   */
  @Get()
  @Security('bearer', ['organizations:list'])
  @Response<ErrorView>(400, 'A parameter is wrong')
  async list(@Query() page?: number, @Query() limit?: number, @Query() sort?: string, @Query() filter?: string): Promise<Page<OrganizationView>> {
    return (await this.organizations.list({ page, limit, sort, filter })).map(presentOrganization);
  }

  /** An organization with its people: one's own, or any with organizations:list. */
  @Get('{id}')
  @Security('bearer', ['organizations:read'])
  @Response<ErrorView>(404, 'There is no such organization')
  async get(@Request() request: express.Request, @Path() id: Uuid): Promise<OrganizationWithUsersView> {
    return this.tagged(presentOrganizationWithUsers(await this.organizations.get(actorOf(request), id)));
  }

  /** Changes an organization, one's own or any with organizations:list; absent fields stay. */
  @Put('{id}')
  @Security('bearer', ['organizations:write'])
  @Response<ErrorView>(400, 'A field is wrong')
  @Response<ErrorView>(403, 'Only the platform suspends and reactivates')
  @Response<ErrorView>(404, 'There is no such organization')
  @Response<ErrorView>(409, 'The platform\'s own organization cannot be suspended')
  @Response<ErrorView>(412, 'If-Match names another version')
  async update(@Request() request: express.Request, @Path() id: Uuid, @Body() body: UpdateOrganizationRequest, @Header('If-Match') ifMatch?: string): Promise<OrganizationView> {
    return this.tagged(presentOrganization(await this.organizations.update(actorOf(request), id, body, ifMatch)));
  }

  /**
   * Puts an organization on a plan. With organizations:list any organization, at once and without payment; else one's
   * own, and only on a plan that costs no more than the present one, when the period ends.
   */
  @Put('{id}/subscription')
  @Security('bearer', ['subscriptions:admin'])
  @Response<ErrorView>(400, 'There is no such plan on offer')
  @Response<ErrorView>(403, 'The permission is missing, or the plan has to be paid for')
  @Response<ErrorView>(404, 'There is no such organization')
  async setSubscription(@Request() request: express.Request, @Path() id: Uuid, @Body() body: SetPlanRequest): Promise<SuccessView> {
    await this.organizations.setPlan(actorOf(request), id, body.planCode);
    return { success: true };
  }

  private tagged<View extends OrganizationView>(view: View): View {
    this.setHeader('ETag', entityTag(view.version));
    return view;
  }
}
