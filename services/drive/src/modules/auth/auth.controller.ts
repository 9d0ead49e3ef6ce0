import { Body, Controller, NoSecurity, Post, Response, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import type { ErrorView } from '@satellite/kit/http';
import type { ExchangeRequest, ExchangeResponse } from './auth.dto.js';
import type { AuthService } from './auth.service.js';

@Route('auth')
@Tags('Token exchange')
export class AuthController extends Controller {
  constructor(private readonly auth: AuthService) {
    super();
  }

  /** A token for Drive in place of one of the Shell; comes before everything else. */
  @Post('exchange')
  @NoSecurity()
  @SuccessResponse(200, 'Exchanged')
  @Response<ErrorView>(400, 'A field is wrong')
  @Response<ErrorView>(401, 'The token is not valid')
  @Response<ErrorView>(403, 'The person is suspended, or the organization does not have Drive')
  @Response<ErrorView>(429, 'Too many requests')
  @Response<ErrorView>(503, 'The Shell cannot be asked')
  async exchange(@Body() body: ExchangeRequest): Promise<ExchangeResponse> {
    const { accessToken, expiresIn } = await this.auth.exchange(body.token);
    this.setHeader('Cache-Control', 'no-store'); // RFC 6749 section 5.1
    return { access_token: accessToken, expires_in: expiresIn, token_type: 'Bearer' };
  }
}
