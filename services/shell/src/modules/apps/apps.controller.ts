import type express from 'express';
import { Body, Controller, Delete, Get, Header, Path, Post, Put, Query, Request, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { entityTag } from '@satellite/kit/http';
import type { Page } from '@satellite/kit/core';
import type { Repeatable } from '../../repeatable.http.js';
import type { ErrorView } from '../../error.dto.js';
import type { Uuid } from '../../uuid.dto.js';
import type { AppView, CreateAppRequest, EnablementView, RegisterRemoteRequest, SetEnablementRequest, UpdateAppRequest } from './apps.dto.js';
import { presentApp } from './apps.presenter.js';
import type { AppsService } from './apps.service.js';
import type { EnablementService } from './enablement.service.js';
import type { RegistrationService } from './registration.service.js';

@Route('admin/apps')
@Tags('App registry')
@Response<ErrorView>(401, 'No valid token')
@Response<ErrorView>(403, 'The permission is missing')
export class AppsController extends Controller {
  constructor(
    private readonly apps: AppsService,
    private readonly registration: RegistrationService,
    private readonly enablement: EnablementService,
    private readonly repeatable: Repeatable,
  ) {
    super();
  }

  /**
   * Lists registry entries.
   * @param page from 1
   * @param limit rows a page, 1 to 100
   * @param sort field, `-` before it for descending: slug, name, type, category, status, createdAt, updatedAt
   * @param filter JSON, for example {"status":"active","name":{"contains":"drive"}}
   */
  @Get()
  @Security('bearer', ['apps:list'])
  @Response<ErrorView>(400, 'A parameter is wrong')
  async list(@Query() page?: number, @Query() limit?: number, @Query() sort?: string, @Query() filter?: string): Promise<Page<AppView>> {
    return (await this.apps.list({ page, limit, sort, filter })).map(presentApp);
  }

  /** One registry entry. */
  @Get('{id}')
  @Security('bearer', ['apps:read'])
  @Response<ErrorView>(404, 'There is no such app')
  async get(@Path() id: Uuid): Promise<AppView> {
    return this.tagged(presentApp(await this.apps.get(id)));
  }

  /**
   * Adds an entry to the registry.
   * @param idempotencyKey a request with the same key and body within 24 hours gets the same answer and does nothing
   */
  @Post()
  @Security('bearer', ['apps:write'])
  @SuccessResponse(201, 'Created')
  @Response<ErrorView>(400, 'A field is wrong')
  @Response<ErrorView>(409, 'The slug, a permission code or a limit key is in use, or a request with this Idempotency-Key is being processed')
  @Response<ErrorView>(422, 'The Idempotency-Key belongs to another request')
  async create(@Request() request: express.Request, @Body() body: CreateAppRequest, @Header('Idempotency-Key') idempotencyKey?: string): Promise<AppView> {
    return this.tagged(await this.repeatable.once(request, idempotencyKey, { name: 'apps.create', work: () => this.apps.create(body), present: presentApp }));
  }

  /**
   * Adds an entry from what the remote says of itself (`satellite.json` at the root of its front-end).
   * @param idempotencyKey a request with the same key and body within 24 hours gets the same answer and does nothing
   */
  @Post('register-remote')
  @Security('bearer', ['apps:write'])
  @SuccessResponse(201, 'Created')
  @Response<ErrorView>(400, 'The address may not be called')
  @Response<ErrorView>(409, 'The slug, a permission code or a limit key is in use, or a request with this Idempotency-Key is being processed')
  @Response<ErrorView>(422, 'The remote does not answer, or not with a usable descriptor, or the Idempotency-Key belongs to another request')
  async registerRemote(@Request() request: express.Request, @Body() body: RegisterRemoteRequest, @Header('Idempotency-Key') idempotencyKey?: string): Promise<AppView> {
    const work = () => this.registration.registerRemote(body.uiUrl, body.slug);
    return this.tagged(await this.repeatable.once(request, idempotencyKey, { name: 'apps.register_remote', work, present: presentApp }));
  }

  /**
   * Changes an entry; absent fields stay.
   * @param force edit an entry although the operator manages it
   */
  @Put('{id}')
  @Security('bearer', ['apps:write'])
  @Response<ErrorView>(400, 'A field is wrong')
  @Response<ErrorView>(404, 'There is no such app')
  @Response<ErrorView>(409, 'The operator manages the entry, or a declaration is in use')
  @Response<ErrorView>(412, 'If-Match names another version')
  async update(@Path() id: Uuid, @Body() body: UpdateAppRequest, @Query() force?: boolean, @Header('If-Match') ifMatch?: string): Promise<AppView> {
    return this.tagged(presentApp(await this.apps.update(id, { ...body }, { force, ifMatch })));
  }

  /**
   * Takes an entry out of the registry.
   * @param force remove an entry although the operator manages it
   */
  @Delete('{id}')
  @Security('bearer', ['apps:delete'])
  @SuccessResponse(204, 'Removed')
  @Response<ErrorView>(404, 'There is no such app')
  @Response<ErrorView>(409, 'The operator manages the entry')
  @Response<ErrorView>(412, 'If-Match names another version')
  async remove(@Path() id: Uuid, @Query() force?: boolean, @Header('If-Match') ifMatch?: string): Promise<void> {
    await this.apps.remove(id, { force, ifMatch });
  }

  /** Every organization, and whether the app is enabled for it. */
  @Get('{id}/organizations')
  @Security('bearer', ['apps:read'])
  @Response<ErrorView>(404, 'There is no such app')
  async organizations(@Path() id: Uuid): Promise<EnablementView[]> {
    return this.enablement.list(id);
  }

  /** Switches the app on or off for one organization. */
  @Put('{id}/organizations/{organizationId}')
  @Security('bearer', ['apps:write'])
  @Response<ErrorView>(404, 'There is no such app or organization')
  @Response<ErrorView>(429, 'The organization\'s plan has no room for another app')
  async setEnablement(@Path() id: Uuid, @Path() organizationId: Uuid, @Body() body: SetEnablementRequest): Promise<EnablementView> {
    return this.enablement.set(id, organizationId, body.enabled);
  }

  private tagged(view: AppView): AppView {
    this.setHeader('ETag', entityTag(view.revision));
    return view;
  }
}
