import type express from 'express';
import { Body, Controller, Get, NoSecurity, Post, Query, Request, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { InvalidFields, type AppError } from '@satellite/kit/core';
import type { ErrorView } from '../../../error.dto.js';
import type { ExchangeIdpRequest, ExchangeResponse, LoginUrlView, OidcLoginView, ProviderView } from '../auth.dto.js';
import { clientOf } from '../client-info.http.js';
import { clearLoginCookie, loginCookieOf, setLoginCookie, setSessionCookie } from '../session-cookie.http.js';
import type { IdpExchangeService } from './idp-exchange.service.js';
import type { OidcLoginService } from './oidc-login.service.js';
import { returnPathOf } from './return-path.js';

@Route('auth')
@Tags('Sign-in through a provider')
export class OidcController extends Controller {
  constructor(
    private readonly logins: OidcLoginService,
    private readonly exchanges: IdpExchangeService,
    private readonly publicUrl: string,
  ) {
    super();
  }

  /** Identity providers of this deployment. */
  @Get('providers')
  @NoSecurity()
  async providers(): Promise<ProviderView[]> {
    return this.logins.providers();
  }

  /**
   * Begins a sign-in: the provider's address for the browser (PKCE S256). The same browser must come back.
   * @param provider id of the provider; the first one unless given
   * @param returnUrl path to go to afterwards, on the platform's own origin
   */
  @Get('login')
  @NoSecurity()
  @Response<ErrorView>(400, 'There is no such provider')
  @Response<ErrorView>(500, 'The provider does not answer')
  async login(@Request() request: express.Request, @Query() provider?: string, @Query() returnUrl?: string): Promise<LoginUrlView> {
    const { loginUrl, state } = await this.logins.begin(provider);
    if (request.res) setLoginCookie(request.res, { state, returnPath: returnPathOf(returnUrl, this.publicUrl) }, this.publicUrl);
    return { loginUrl };
  }

  /**
   * The provider sends the browser here. Ends in a redirect to the app with a session cookie; clients that accept
   * application/json first get the tokens as JSON. A browser that came by itself is sent to the sign-in page when it is refused (`signInPage`).
   */
  @Get('callback')
  @NoSecurity()
  @Response<ErrorView>(302, 'Signed in; on to the app')
  @Response<ErrorView>(400, 'The state is unknown, used or of another browser, or the provider refused')
  @Response<ErrorView>(409, 'An account has this address and is not linked')
  async callback(@Request() request: express.Request, @Query() state?: string, @Query() code?: string): Promise<OidcLoginView> {
    const response = request.res;
    const cookie = loginCookieOf(request);
    if (response) clearLoginCookie(response, this.publicUrl);
    const { accessToken, expiresIn, tokenType, refreshToken, person } = await this.logins.complete(request.originalUrl.split('?')[1] ?? '', state ?? '', code === undefined && state === undefined ? undefined : cookie?.state, clientOf(request));
    if (response) setSessionCookie(response, refreshToken, this.publicUrl);
    if (request.accepts(['html', 'json']) !== 'json' && response) {
      response.redirect(302, `${this.publicUrl}${cookie?.returnPath ?? '/'}`);
    }
    return { accessToken, expiresIn, tokenType, user: { id: person.id, email: person.email } };
  }

  /** A token of the platform for a token of an identity provider; with a bearer token both must be of the same person. */
  @Post('exchange-idp')
  @Security('optional_bearer')
  @SuccessResponse(200, 'Exchanged')
  @Response<ErrorView>(400, 'There is no such active app')
  @Response<ErrorView>(401, 'The token is not valid')
  @Response<ErrorView>(403, 'The app is not enabled for the organization')
  async exchangeIdp(@Request() request: express.Request, @Body() body: ExchangeIdpRequest): Promise<ExchangeResponse> {
    const token = body.idpToken ?? body.token;
    if (token === undefined) throw new InvalidFields([{ field: 'idpToken', message: 'is required' }]);
    return this.exchanges.exchange(token, body.serviceId, request.user?.userId, clientOf(request));
  }
}

/** Where a browser goes that a provider sent back and that is refused: a person would look at JSON. Tools that take anything get the error itself. */
export const signInPage = (publicUrl: string) => ({ path, headers }: express.Request, { code }: AppError): string | undefined =>
  path === '/api/auth/callback' && headers.accept?.includes('text/html') === true ? `${publicUrl}/sign-in?failed=${code}` : undefined;
