import type express from 'express';
import { Body, Controller, Get, NoSecurity, Post, Request, Response, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import { InvalidFields } from '@satellite/kit/core';
import type { ErrorView } from '../../error.dto.js';
import { clientOf } from './client-info.http.js';
import type { KeySetView, LocalLoginRequest, ServiceTokenRequest, ServiceTokenResponse, TokenResponse } from './auth.dto.js';
import type { AuthService } from './auth.service.js';
import { KEY_SET_MAX_AGE, type SigningKeysService } from './signing-keys.service.js';

@Route('auth')
@Tags('Authentication')
export class AuthController extends Controller {
  constructor(private readonly auth: AuthService) {
    super();
  }

  /** Signs in with user name or e-mail and password. */
  @Post('local-login')
  @NoSecurity()
  @SuccessResponse(200, 'Signed in')
  @Response<ErrorView>(401, 'User name or password is wrong')
  @Response<ErrorView>(503, 'Too many sign-ins are waiting')
  async localLogin(@Request() request: express.Request, @Body() body: LocalLoginRequest): Promise<TokenResponse> {
    const name = body.usernameOrEmail ?? body.username;
    if (name === undefined || name === '') throw new InvalidFields([{ field: 'usernameOrEmail', message: 'is required' }]);
    return this.auth.localLogin(name, body.password, clientOf(request));
  }

  /** A token for the service-to-service gateway (aud = shell-rbac), by client credentials. */
  @Post('service-token')
  @NoSecurity()
  @SuccessResponse(200, 'Issued')
  @Response<ErrorView>(401, 'Client id or secret is wrong')
  async serviceToken(@Body() body: ServiceTokenRequest): Promise<ServiceTokenResponse> {
    return this.auth.serviceToken(body.clientId, body.clientSecret);
  }
}

@Route('.well-known')
@Tags('Authentication')
export class KeySetController extends Controller {
  constructor(private readonly keys: SigningKeysService) {
    super();
  }

  /** Public keys that verify the Shell's tokens (RFC 7517). */
  @Get('jwks.json')
  @NoSecurity()
  async keySet(): Promise<KeySetView> {
    this.setHeader('Cache-Control', `public, max-age=${KEY_SET_MAX_AGE}`);
    return this.keys.keySet() as unknown as KeySetView;
  }
}
