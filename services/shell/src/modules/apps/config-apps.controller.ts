import type express from 'express';
import { Controller, Get, Request, Response, Route, Security, Tags } from '@tsoa/runtime';
import { noneMatch } from '@satellite/kit/http';
import type { ErrorView } from '../../error.dto.js';
import { InvalidToken } from '../auth/index.js';
import type { LaunchpadAppView } from './apps.dto.js';
import type { LaunchpadFeed, LaunchpadService } from './launchpad.service.js';

@Route('config')
@Tags('Configuration')
export class ConfigAppsController extends Controller {
  constructor(private readonly launchpad: LaunchpadService) {
    super();
  }

  /**
   * Active apps for the launchpad. Without a token all of them; with one, those that are enabled for the
   * organization. Answers 304 when `If-None-Match` names the current entity tag.
   */
  @Get('apps')
  @Security('optional_bearer')
  @Response<ErrorView>(401, 'The token is not valid')
  async apps(@Request() request: express.Request): Promise<LaunchpadAppView[]> {
    const organizationId = request.user?.organizationId;
    const feed = organizationId === undefined ? await this.launchpad.forEveryone() : await this.launchpad.forOrganization(organizationId);
    if (feed === undefined) throw new InvalidToken();
    return send(request, feed);
  }
}

/** The feed is kept as bytes; tsoa sends nothing of its own once the answer has begun. */
function send(request: express.Request, feed: LaunchpadFeed): LaunchpadAppView[] {
  const response = request.res;
  if (response === undefined) throw new Error('the request has no response');
  response.setHeader('ETag', feed.entityTag);
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('Vary', 'Authorization');
  if (noneMatch(request.headers['if-none-match'], feed.entityTag)) {
    response.status(304).end();
  } else {
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.end(feed.body);
  }
  return [];
}
