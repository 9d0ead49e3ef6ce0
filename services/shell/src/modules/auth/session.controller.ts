import type express from 'express';
import { Body, Controller, Delete, Get, NoSecurity, Path, Post, Request, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { ErrorView } from '../../error.dto.js';
import type { Uuid } from '../../uuid.dto.js';
import { clientOf } from './client-info.http.js';
import { actorOf } from '../../actor.js';
import { InvalidGrant } from './auth.errors.js';
import type { MessageView, RefreshRequest, RefreshResponse, SessionView } from './auth.dto.js';
import { clearSessionCookie, sessionCookieOf, setSessionCookie } from './session-cookie.http.js';
import type { SessionsService } from './sessions.service.js';

@Route('auth')
@Tags('Sessions')
export class SessionController extends Controller {
  constructor(
    private readonly sessions: SessionsService,
    private readonly publicUrl: string,
  ) {
    super();
  }

  /**
   * A new access token for a refresh token, from the body or from the cookie of a browser that signed in through a
   * provider. The refresh token changes with every use; using a replaced one ends the session.
   */
  @Post('refresh')
  @NoSecurity()
  @SuccessResponse(200, 'Refreshed')
  @Response<ErrorView>(400, 'The refresh token is not valid')
  async refresh(@Request() request: express.Request, @Body() body: RefreshRequest): Promise<RefreshResponse> {
    const cookie = sessionCookieOf(request);
    const token = body.refreshToken ?? cookie;
    if (token === undefined || token.includes('\0')) throw new InvalidGrant();
    const { refreshToken, ...issued } = await this.sessions.refresh(token, clientOf(request));
    if (body.refreshToken !== undefined) return { ...issued, refreshToken };
    if (request.res) setSessionCookie(request.res, refreshToken, this.publicUrl);
    return issued; // what came in a cookie stays out of scripts' reach
  }

  /** Ends the session of the token. */
  @Get('logout')
  @Security('bearer')
  @Response<ErrorView>(401, 'No valid token')
  async logout(@Request() request: express.Request): Promise<MessageView> {
    const actor = actorOf(request);
    await this.sessions.end(actor, actor.sessionId, 'logout');
    if (request.res) clearSessionCookie(request.res, this.publicUrl);
    return { message: 'Signed out' };
  }

  /** Ends the session of the token. */
  @Post('logout')
  @Security('bearer')
  @SuccessResponse(200, 'Signed out')
  @Response<ErrorView>(401, 'No valid token')
  async postLogout(@Request() request: express.Request): Promise<MessageView> {
    return this.logout(request);
  }

  /** The person's own sessions, the latest first. */
  @Get('sessions')
  @Security('bearer')
  @Response<ErrorView>(401, 'No valid token')
  async list(@Request() request: express.Request): Promise<SessionView[]> {
    const actor = actorOf(request);
    const rows = await this.sessions.list(actor.userId);
    return rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt), lastUsedAt: new Date(row.lastUsedAt), expiresAt: new Date(row.expiresAt), current: row.id === actor.sessionId }));
  }

  /** Ends one of the person's own sessions. */
  @Delete('sessions/{id}')
  @Security('bearer')
  @SuccessResponse(204, 'Ended')
  @Response<ErrorView>(401, 'No valid token')
  @Response<ErrorView>(404, 'The person has no such session')
  async end(@Request() request: express.Request, @Path() id: Uuid): Promise<void> {
    await this.sessions.end(actorOf(request), id, 'ended');
  }
}
