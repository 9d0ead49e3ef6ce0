import type express from 'express';
import { Controller, Get, NoSecurity, Request, Response, Route, Tags } from '@tsoa/runtime';
import type { HealthService, HealthView } from './health.service.js';

@Route('health')
@Tags('Health and documentation')
export class HealthController extends Controller {
  constructor(private readonly health: HealthService) {
    super();
  }

  /** Whether the Shell can do its work, with its version. Always bare, without an envelope. */
  @Get()
  @NoSecurity()
  @Response<HealthView>(503, 'The database is away')
  async get(@Request() request: express.Request): Promise<HealthView> {
    const view = await this.health.view();
    request.res?.setHeader('Cache-Control', 'no-store');
    this.setStatus(view.status === 'UP' ? 200 : 503);
    return view;
  }
}
