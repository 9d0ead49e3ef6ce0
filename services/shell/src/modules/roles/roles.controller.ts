import type express from 'express';
import { Body, Controller, Delete, Get, Header, Path, Post, Put, Query, Request, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { Page } from '@satellite/kit/core';
import { entityTag } from '@satellite/kit/http';
import { actorOf } from '../auth/index.js';
import type { Repeatable } from '../../repeatable.http.js';
import type { ErrorView } from '../../error.dto.js';
import type { Uuid } from '../../uuid.dto.js';
import type { CreateRoleRequest, PermissionView, RoleView, SetRolePermissionsRequest, UpdateRoleRequest } from './roles.dto.js';
import { presentRole } from './roles.presenter.js';
import type { RolesService } from './roles.service.js';

@Route('roles')
@Tags('Roles')
@Response<ErrorView>(401, 'No valid token')
@Response<ErrorView>(403, 'The permission is missing')
export class RolesController extends Controller {
  constructor(
    private readonly roles: RolesService,
    private readonly repeatable: Repeatable,
  ) {
    super();
  }

  /**
   * Lists the organization's roles and those of the system.
   * @param page from 1
   * @param limit rows a page, 1 to 100
   * @param sort field, `-` before it for descending: name, createdAt, updatedAt
   * @param filter JSON, for example {"name":{"contains":"edit"}}
   */
  @Get()
  @Security('bearer', ['roles:list'])
  @Response<ErrorView>(400, 'A parameter is wrong')
  async list(@Request() request: express.Request, @Query() page?: number, @Query() limit?: number, @Query() sort?: string, @Query() filter?: string): Promise<Page<RoleView>> {
    return (await this.roles.list(actorOf(request), { page, limit, sort, filter })).map(presentRole);
  }

  /**
   * Adds a role to the organization.
   * @param idempotencyKey a request with the same key and body within 24 hours gets the same answer and does nothing
   */
  @Post()
  @Security('bearer', ['roles:write'])
  @SuccessResponse(201, 'Created')
  @Response<ErrorView>(400, 'A field is wrong')
  @Response<ErrorView>(403, 'The caller lacks a permission that the role would hold')
  @Response<ErrorView>(409, 'The name is in use, or a request with this Idempotency-Key is being processed')
  @Response<ErrorView>(422, 'The Idempotency-Key belongs to another request')
  async create(@Request() request: express.Request, @Body() body: CreateRoleRequest, @Header('Idempotency-Key') idempotencyKey?: string): Promise<RoleView> {
    const work = () => this.roles.create(actorOf(request), body);
    return this.tagged(await this.repeatable.once(request, idempotencyKey, { name: 'roles.create', work, present: presentRole }));
  }

  /** One role with its permissions. */
  @Get('{id}')
  @Security('bearer', ['roles:read'])
  @Response<ErrorView>(404, 'There is no such role')
  async get(@Request() request: express.Request, @Path() id: Uuid): Promise<RoleView> {
    return this.tagged(presentRole(await this.roles.get(actorOf(request), id)));
  }

  /** Changes a role; absent fields stay. */
  @Put('{id}')
  @Security('bearer', ['roles:write'])
  @Response<ErrorView>(400, 'A field is wrong')
  @Response<ErrorView>(403, 'The role is the system\'s, or would hold a permission that the caller lacks')
  @Response<ErrorView>(404, 'There is no such role')
  @Response<ErrorView>(409, 'The name is in use')
  @Response<ErrorView>(412, 'If-Match names another version')
  async update(@Request() request: express.Request, @Path() id: Uuid, @Body() body: UpdateRoleRequest, @Header('If-Match') ifMatch?: string): Promise<RoleView> {
    return this.tagged(presentRole(await this.roles.update(actorOf(request), id, body, ifMatch)));
  }

  /** Removes a role and takes it from everybody who holds it. */
  @Delete('{id}')
  @Security('bearer', ['roles:delete'])
  @SuccessResponse(204, 'Removed')
  @Response<ErrorView>(403, 'The role is the system\'s')
  @Response<ErrorView>(404, 'There is no such role')
  @Response<ErrorView>(412, 'If-Match names another version')
  async remove(@Request() request: express.Request, @Path() id: Uuid, @Header('If-Match') ifMatch?: string): Promise<void> {
    await this.roles.remove(actorOf(request), id, ifMatch);
  }

  /** The permission codes of a role. */
  @Get('{id}/permissions')
  @Security('bearer', ['roles:read'])
  @Response<ErrorView>(404, 'There is no such role')
  async permissions(@Request() request: express.Request, @Path() id: Uuid): Promise<string[]> {
    return this.tagged(presentRole(await this.roles.get(actorOf(request), id))).permissions;
  }

  /** Replaces the permission codes of a role; answers the new set. */
  @Post('{id}/permissions')
  @Security('bearer', ['roles:write'])
  @SuccessResponse(200, 'Replaced')
  @Response<ErrorView>(400, 'A code is unknown')
  @Response<ErrorView>(403, 'The role is the system\'s, or the caller lacks one of the permissions')
  @Response<ErrorView>(404, 'There is no such role')
  @Response<ErrorView>(412, 'If-Match names another version')
  async setPermissions(@Request() request: express.Request, @Path() id: Uuid, @Body() body: SetRolePermissionsRequest, @Header('If-Match') ifMatch?: string): Promise<string[]> {
    return this.tagged(presentRole(await this.roles.setPermissions(actorOf(request), id, body.permissions, ifMatch))).permissions;
  }

  private tagged(view: RoleView): RoleView {
    this.setHeader('ETag', entityTag(view.version));
    return view;
  }
}

@Route('permissions')
@Tags('Roles')
@Response<ErrorView>(401, 'No valid token')
@Response<ErrorView>(403, 'The permission is missing')
export class PermissionsController extends Controller {
  constructor(private readonly roles: RolesService) {
    super();
  }

  /** Every permission code that a role can hold: the Shell's own and those of all registered apps. */
  @Get()
  @Security('bearer', ['permissions:list'])
  async list(): Promise<PermissionView[]> {
    return this.roles.knownPermissions();
  }
}
