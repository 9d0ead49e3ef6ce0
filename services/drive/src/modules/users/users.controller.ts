import type express from 'express';
import { Body, Controller, Delete, Get, Path, Post, Put, Query, Request, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { Page } from '@satellite/kit/core';
import type { ErrorView, Uuid } from '@satellite/kit/http';
import { ROLES } from '../../permissions.js';
import { actorOf } from '../../actor.js';
import type { CreateUserRequest, GrantRoleRequest, RoleView, UpdateUserRequest, UserView } from './users.dto.js';
import { presentRole, presentUser } from './users.presenter.js';
import type { UsersService } from './users.service.js';

@Route('users')
@Tags('Users')
@Response<ErrorView>(401, 'No valid token')
@Response<ErrorView>(403, 'The role admin is missing')
export class UsersController extends Controller {
  constructor(private readonly users: UsersService) {
    super();
  }

  /**
   * People of this Drive, by e-mail address.
   * @param page from 1
   * @param limit rows a page, 1 to 100
   */
  @Get()
  @Security('bearer', ['users:manage'])
  @Response<ErrorView>(400, 'A parameter is wrong')
  async list(@Request() request: express.Request, @Query() page?: number, @Query() limit?: number): Promise<Page<UserView>> {
    return (await this.users.list(actorOf(request), { page, limit })).map(presentUser);
  }

  /** All roles there are. */
  @Get('roles')
  @Security('bearer', ['users:manage'])
  async roles(): Promise<RoleView[]> {
    return ROLES.map(presentRole);
  }

  /** Invites somebody: whoever has the address in the Shell is this user when they come, with this role. */
  @Post()
  @Security('bearer', ['users:manage'])
  @SuccessResponse(201, 'Created')
  @Response<ErrorView>(400, 'A field is wrong')
  @Response<ErrorView>(409, 'Somebody with this address is here already')
  async create(@Request() request: express.Request, @Body() body: CreateUserRequest): Promise<UserView> {
    return presentUser(await this.users.invite(actorOf(request), body));
  }

  /** A person with their roles. */
  @Get('{id}')
  @Security('bearer', ['users:manage'])
  @Response<ErrorView>(404, 'There is no such user')
  async get(@Request() request: express.Request, @Path() id: Uuid): Promise<UserView> {
    return presentUser(await this.users.get(actorOf(request), id));
  }

  /** Suspends somebody or lets them in again. */
  @Put('{id}')
  @Security('bearer', ['users:manage'])
  @Response<ErrorView>(400, 'A field is wrong')
  @Response<ErrorView>(404, 'There is no such user')
  @Response<ErrorView>(409, 'It is the last administrator')
  async update(@Request() request: express.Request, @Path() id: Uuid, @Body() body: UpdateUserRequest): Promise<UserView> {
    return presentUser(await this.users.setStatus(actorOf(request), id, body.status));
  }

  /** Gives a role; one that the person has changes nothing. */
  @Post('{id}/roles')
  @Security('bearer', ['users:manage'])
  @SuccessResponse(201, 'Given')
  @Response<ErrorView>(400, 'A field is wrong')
  @Response<ErrorView>(404, 'There is no such user or role')
  async grant(@Request() request: express.Request, @Path() id: Uuid, @Body() body: GrantRoleRequest): Promise<UserView> {
    return presentUser(await this.users.grant(actorOf(request), id, body.roleId));
  }

  /** Takes a role away. */
  @Delete('{id}/roles/{roleId}')
  @Security('bearer', ['users:manage'])
  @SuccessResponse(204, 'Taken away')
  @Response<ErrorView>(404, 'There is no such user, or they do not have the role')
  @Response<ErrorView>(409, 'It is the last administrator')
  async withdraw(@Request() request: express.Request, @Path() id: Uuid, @Path() roleId: string): Promise<void> {
    await this.users.withdraw(actorOf(request), id, roleId);
  }
}
