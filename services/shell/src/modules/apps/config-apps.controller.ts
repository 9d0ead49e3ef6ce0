import type express from 'express';
import { Controller, Get, Request, Response, Route, Security, Tags } from '@tsoa/runtime';
import type { ErrorView } from '../../error.dto.js';
import { sendPrepared } from '../../prepared-answer.http.js';
import { InvalidToken } from '../auth/index.js';
import type { LaunchpadAppView } from './apps.dto.js';
import type { LaunchpadService } from './launchpad.service.js';

@Route('config')
@Tags('Configuration')
export class ConfigAppsController extends Controller {
  constructor(private readonly launchpad: LaunchpadService) {
    super();
  }

  /**
   * Active apps for the launchpad. Without a token all of them; with one, those that are enabled for the
   * organization and that its plan includes. Answers 304 when `If-None-Match` names the current entity tag.
   */
  @Get('apps')
  @Security('optional_bearer')
  @Response<ErrorView>(401, 'The token is not valid')
  async apps(@Request() request: express.Request): Promise<LaunchpadAppView[]> {
    const organizationId = request.user?.organizationId;
    const feed = organizationId === undefined ? await this.launchpad.forEveryone() : await this.launchpad.forOrganization(organizationId);
    if (feed === undefined) throw new InvalidToken();
    return sendPrepared(request, feed);
  }
}
