import type express from 'express';
import { Body, Controller, NoSecurity, Post, Request, Response, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import type { ErrorView } from '../../error.dto.js';
import { clientOf } from './client-info.http.js';
import type { RegisterRequest, TokenResponse } from './auth.dto.js';
import type { RegistrationService } from './registration.service.js';

@Route('auth')
@Tags('Authentication')
export class RegistrationController extends Controller {
  constructor(private readonly registrations: RegistrationService) {
    super();
  }

  /** Registers a person together with an organization of their own on the chosen plan, and signs them in. */
  @Post('register')
  @NoSecurity()
  @SuccessResponse(201, 'Registered')
  @Response<ErrorView>(400, 'A field is wrong')
  @Response<ErrorView>(409, 'The e-mail address or the user name is in use')
  @Response<ErrorView>(429, 'Too many requests')
  async register(@Request() request: express.Request, @Body() body: RegisterRequest): Promise<TokenResponse> {
    return this.registrations.register(body, clientOf(request));
  }
}
