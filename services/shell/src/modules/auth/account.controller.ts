import type express from 'express';
import { Body, Controller, Get, NoSecurity, Post, Put, Request, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { ErrorView } from '../../error.dto.js';
import type { AccountService } from './account.service.js';
import { actorOf } from '../../actor.js';
import type { ChangePasswordRequest, ConfirmPasswordResetRequest, PasswordResetRequest, ProfileView } from './auth.dto.js';
import type { PasswordLinksService } from './password-links.service.js';

@Route('auth')
@Tags('Account')
export class AccountController extends Controller {
  constructor(
    private readonly accounts: AccountService,
    private readonly links: PasswordLinksService,
  ) {
    super();
  }

  /** The signed-in person, with roles and permissions as of now. */
  @Get('me')
  @Security('bearer')
  @Response<ErrorView>(401, 'No valid token')
  async me(@Request() request: express.Request): Promise<ProfileView> {
    const actor = actorOf(request);
    const profile = await this.accounts.profile(actor);
    return { ...profile, roles: [...actor.roles], permissions: [...actor.permissions].sort() };
  }

  /** Sets preferences of any name; null removes one, absent ones stay. Answers all of them. */
  @Put('me/preferences')
  @Security('bearer')
  @Response<ErrorView>(400, 'Too large or nested too deep')
  @Response<ErrorView>(401, 'No valid token')
  async setPreferences(@Request() request: express.Request, @Body() body: Record<string, unknown>): Promise<Record<string, unknown>> {
    return this.accounts.setPreferences(actorOf(request), body);
  }

  /** Changes the password and ends every session of the person, this one too. */
  @Post('change-password')
  @Security('bearer')
  @SuccessResponse(204, 'Changed')
  @Response<ErrorView>(400, 'The current password is wrong, or the new one may not be set')
  @Response<ErrorView>(401, 'No valid token')
  async changePassword(@Request() request: express.Request, @Body() body: ChangePasswordRequest): Promise<void> {
    await this.accounts.changePassword(actorOf(request), body.currentPassword, body.newPassword);
  }

  /** Sends a link to set a new password, if anybody has the address; the answer is the same either way. */
  @Post('request-password-reset')
  @NoSecurity()
  @SuccessResponse(204, 'Accepted')
  @Response<ErrorView>(429, 'Too many requests')
  async requestPasswordReset(@Body() body: PasswordResetRequest): Promise<void> {
    await this.links.requestReset(body.email);
  }

  /** Sets a new password with the token of the link, once, and ends every session. */
  @Post('confirm-password-reset')
  @NoSecurity()
  @SuccessResponse(204, 'Changed')
  @Response<ErrorView>(400, 'The link is not valid, or the password may not be set')
  @Response<ErrorView>(429, 'Too many requests')
  async confirmPasswordReset(@Body() body: ConfirmPasswordResetRequest): Promise<void> {
    await this.links.confirm(body.token, body.newPassword);
  }
}
