import type express from 'express';
import { Body, Controller, Delete, Get, Header, Path, Post, Put, Query, Request, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { Page } from '@satellite/kit/core';
import { entityTag } from '@satellite/kit/http';
import { actorOf } from '../auth/index.js';
import type { Repeatable } from '../../repeatable.http.js';
import type { ErrorView } from '../../error.dto.js';
import type { Uuid } from '../../uuid.dto.js';
import type { UserRolesService } from './user-roles.service.js';
import type { AssignRolesRequest, CreateUserRequest, UpdateUserRequest, UserView } from './users.dto.js';
import { presentUser } from './users.presenter.js';
import type { UsersService } from './users.service.js';

@Route('users')
@Tags('Users')
@Response<ErrorView>(401, 'No valid token')
@Response<ErrorView>(403, 'The permission is missing')
export class UsersController extends Controller {
  constructor(
    private readonly users: UsersService,
    private readonly userRoles: UserRolesService,
    private readonly repeatable: Repeatable,
  ) {
    super();
  }

  /**
   * Lists the people of the organization.
   * @param page from 1
   * @param limit rows a page, 1 to 100
   * @param sort field, `-` before it for descending: email, username, firstName, lastName, status, createdAt
   * @param filter JSON, for example {"status":"active","email":{"contains":"ann"}}
   */
  @Get()
  @Security('bearer', ['users:list'])
  @Response<ErrorView>(400, 'A parameter is wrong')
  async list(@Request() request: express.Request, @Query() page?: number, @Query() limit?: number, @Query() sort?: string, @Query() filter?: string): Promise<Page<UserView>> {
    return (await this.users.list(actorOf(request), { page, limit, sort, filter })).map(presentUser);
  }

  /**
   * Adds a person to the organization.
   * @param idempotencyKey a request with the same key and body within 24 hours gets the same answer and does nothing
   */
  @Post()
  @Security('bearer', ['users:write'])
  @SuccessResponse(201, 'Created')
  @Response<ErrorView>(400, 'A field is wrong')
  @Response<ErrorView>(403, 'A role holds a permission that the caller lacks')
  @Response<ErrorView>(404, 'There is no such role')
  @Response<ErrorView>(409, 'The e-mail address or the user name is in use, or a request with this Idempotency-Key is being processed')
  @Response<ErrorView>(429, 'The plan has no room for another person')
  @Response<ErrorView>(422, 'The Idempotency-Key belongs to another request')
  async create(@Request() request: express.Request, @Body() body: CreateUserRequest, @Header('Idempotency-Key') idempotencyKey?: string): Promise<UserView> {
    const work = () => this.users.create(actorOf(request), body);
    return this.tagged(await this.repeatable.once(request, idempotencyKey, { name: 'users.create', work, present: presentUser }));
  }

  /** One person with their roles. */
  @Get('{id}')
  @Security('bearer', ['users:read'])
  @Response<ErrorView>(404, 'There is no such user')
  async get(@Request() request: express.Request, @Path() id: Uuid): Promise<UserView> {
    return this.tagged(presentUser(await this.users.get(actorOf(request), id)));
  }

  /** Changes a person; absent fields stay. */
  @Put('{id}')
  @Security('bearer', ['users:write'])
  @Response<ErrorView>(400, 'A field is wrong')
  @Response<ErrorView>(403, 'The person may do more than the caller')
  @Response<ErrorView>(404, 'There is no such user')
  @Response<ErrorView>(409, 'The e-mail address or the user name is in use, or nobody else administers the organization')
  @Response<ErrorView>(412, 'If-Match names another version')
  async update(@Request() request: express.Request, @Path() id: Uuid, @Body() body: UpdateUserRequest, @Header('If-Match') ifMatch?: string): Promise<UserView> {
    return this.tagged(presentUser(await this.users.update(actorOf(request), id, body, ifMatch)));
  }

  /** Removes a person and ends everything they have running. */
  @Delete('{id}')
  @Security('bearer', ['users:delete'])
  @SuccessResponse(204, 'Removed')
  @Response<ErrorView>(404, 'There is no such user')
  @Response<ErrorView>(409, 'Nobody else administers the organization')
  @Response<ErrorView>(412, 'If-Match names another version')
  async remove(@Request() request: express.Request, @Path() id: Uuid, @Header('If-Match') ifMatch?: string): Promise<void> {
    await this.users.remove(actorOf(request), id, ifMatch);
  }

  /** Role ids of a person. */
  @Get('{id}/roles')
  @Security('bearer', ['users:read'])
  @Response<ErrorView>(404, 'There is no such user')
  async roles(@Request() request: express.Request, @Path() id: Uuid): Promise<string[]> {
    return this.userRoles.list(actorOf(request), id);
  }

  /**
   * Gives a person roles beside those they have; answers the ids of all.
   * @param idempotencyKey a request with the same key and body within 24 hours gets the same answer and does nothing
   */
  @Post('{id}/roles')
  @Security('bearer', ['users:write'])
  @SuccessResponse(201, 'Assigned')
  @Response<ErrorView>(400, 'A field is wrong')
  @Response<ErrorView>(403, 'A role holds a permission that the caller lacks')
  @Response<ErrorView>(404, 'There is no such user or role')
  @Response<ErrorView>(409, 'A request with this Idempotency-Key is being processed')
  @Response<ErrorView>(422, 'The Idempotency-Key belongs to another request')
  async assignRoles(@Request() request: express.Request, @Path() id: Uuid, @Body() body: AssignRolesRequest, @Header('Idempotency-Key') idempotencyKey?: string): Promise<string[]> {
    const work = () => this.userRoles.assign(actorOf(request), id, body.roleIds);
    return this.repeatable.once(request, idempotencyKey, { name: 'users.assign_roles', work, present: (roleIds) => roleIds });
  }

  /** Takes a role from a person. */
  @Delete('{id}/roles/{roleId}')
  @Security('bearer', ['users:write'])
  @SuccessResponse(204, 'Taken away')
  @Response<ErrorView>(404, 'There is no such user or role, or the user does not have it')
  @Response<ErrorView>(409, 'Nobody else administers the organization')
  async unassignRole(@Request() request: express.Request, @Path() id: Uuid, @Path() roleId: Uuid): Promise<void> {
    await this.userRoles.unassign(actorOf(request), id, roleId);
  }

  private tagged(view: UserView): UserView {
    this.setHeader('ETag', entityTag(view.version));
    return view;
  }
}
