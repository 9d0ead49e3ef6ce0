import type express from 'express';
import { Controller, Get, Query, Request, Response, Route, Security, Tags } from '@tsoa/runtime';
import type { ErrorView } from '../../error.dto.js';
import type { RevocationsView } from './gateway.dto.js';
import type { RevocationList } from './revocation-list.js';

/** Below the idle limits that proxies usually have (30 s and more). */
const WAIT_MS = 25_000;

@Route('auth')
@Tags('For services')
export class RevocationsController extends Controller {
  constructor(private readonly revocations: RevocationList) {
    super();
  }

  /**
   * Tokens that ended before their time, for services that verify tokens by the key set. Needs a service token
   * (aud = shell-rbac, from POST /auth/service-token). Never in an envelope.
   * @param after the highest `seq` that is known; 0 at first
   * @param wait true: answers when there is something new, at the latest after 25 seconds
   */
  @Get('revocations')
  @Security('service')
  @Response<ErrorView>(400, 'A parameter is wrong')
  @Response<ErrorView>(401, 'No valid service token')
  @Response<ErrorView>(503, 'It cannot be known at the moment')
  async list(@Request() request: express.Request, @Query() after?: number, @Query() wait?: boolean): Promise<RevocationsView> {
    const from = Number.isSafeInteger(after) && after !== undefined && after > 0 ? after : 0;
    if (wait !== true) return this.present(await this.revocations.after(from));
    const gone = new AbortController();
    request.res?.once('close', () => gone.abort());
    return this.present(await this.revocations.next(from, WAIT_MS, gone.signal));
  }

  private present({ seq, revocations }: RevocationsView | Awaited<ReturnType<RevocationList['after']>>): RevocationsView {
    this.setHeader('Cache-Control', 'no-store');
    return { seq, revocations: [...revocations] };
  }
}
