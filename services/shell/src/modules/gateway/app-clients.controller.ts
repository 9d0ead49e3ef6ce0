import type express from 'express';
import { Controller, Delete, Get, Header, Path, Post, Request, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { Repeatable } from '../../repeatable.http.js';
import type { ErrorView } from '../../error.dto.js';
import type { Uuid } from '../../uuid.dto.js';
import { actorOf } from '../auth/index.js';
import type { AppClientsService } from './app-clients.service.js';
import type { AppClientSecretView, AppClientView } from './gateway.dto.js';

/**
 * Id of a service client.
 * @pattern ^[a-z][a-z0-9-]{1,62}$ must be a client id
 */
type ClientId = string;

@Route('admin/apps/{id}/clients')
@Tags('App registry')
@Response<ErrorView>(401, 'No valid token')
@Response<ErrorView>(403, 'The permission is missing')
@Response<ErrorView>(404, 'There is no such app or client')
export class AppClientsController extends Controller {
  constructor(
    private readonly clients: AppClientsService,
    private readonly repeatable: Repeatable,
  ) {
    super();
  }

  /** Service clients of the app, without their secrets. */
  @Get()
  @Security('bearer', ['apps:read'])
  async list(@Path() id: Uuid): Promise<AppClientView[]> {
    return this.clients.list(id);
  }

  /**
   * Makes credentials for the app's services. The secret is shown this once.
   * @param idempotencyKey a request with the same key and body within 24 hours gets the same answer and does nothing
   */
  @Post()
  @Security('bearer', ['apps:write'])
  @SuccessResponse(201, 'Created')
  @Response<ErrorView>(409, 'The app has too many clients, or a request with this Idempotency-Key is being processed')
  @Response<ErrorView>(422, 'The Idempotency-Key belongs to another request')
  async create(@Request() request: express.Request, @Path() id: Uuid, @Header('Idempotency-Key') idempotencyKey?: string): Promise<AppClientSecretView> {
    const work = () => this.clients.create(actorOf(request), id);
    return this.repeatable.once(request, idempotencyKey, { name: 'service_clients.create', work, present: (made) => made });
  }

  /**
   * A new secret; the one before stays good until the next rotation, or until it is ended.
   * @param idempotencyKey a request with the same key and body within 24 hours gets the same answer and does nothing
   */
  @Post('{clientId}/rotate')
  @Security('bearer', ['apps:write'])
  @SuccessResponse(200, 'Rotated')
  @Response<ErrorView>(409, 'A request with this Idempotency-Key is being processed')
  @Response<ErrorView>(422, 'The Idempotency-Key belongs to another request')
  async rotate(@Request() request: express.Request, @Path() id: Uuid, @Path() clientId: ClientId, @Header('Idempotency-Key') idempotencyKey?: string): Promise<AppClientSecretView> {
    const work = () => this.clients.rotate(actorOf(request), id, clientId);
    return this.repeatable.once(request, idempotencyKey, { name: 'service_clients.rotate', work, present: (made) => made });
  }

  /** Ends the secret before the last rotation. */
  @Delete('{clientId}/previous-secret')
  @Security('bearer', ['apps:write'])
  @SuccessResponse(204, 'Ended')
  async endPrevious(@Request() request: express.Request, @Path() id: Uuid, @Path() clientId: ClientId): Promise<void> {
    await this.clients.endPrevious(actorOf(request), id, clientId);
  }

  /** Revokes the client: its secrets at once, its running tokens within a second. */
  @Delete('{clientId}')
  @Security('bearer', ['apps:write'])
  @SuccessResponse(204, 'Revoked')
  async revoke(@Request() request: express.Request, @Path() id: Uuid, @Path() clientId: ClientId): Promise<void> {
    await this.clients.revoke(actorOf(request), id, clientId);
  }
}
