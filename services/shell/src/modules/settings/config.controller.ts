import { Controller, Get, Response, Route, Security, Tags } from '@tsoa/runtime';
import type { ErrorView } from '../../error.dto.js';
import type { ConfigView } from './config.dto.js';
import type { InfrastructureService } from './infrastructure.service.js';

@Route('config')
@Tags('Configuration')
export class ConfigController extends Controller {
  constructor(private readonly infrastructure: InfrastructureService) {
    super();
  }

  /** What the platform runs on: identity provider, object storage, key-value store, database, services, features. No secret is in it. */
  @Get()
  @Security('bearer', ['infrastructure:read'])
  @Response<ErrorView>(401, 'No valid token')
  @Response<ErrorView>(403, 'The permission is missing')
  async get(): Promise<ConfigView> {
    this.setHeader('Cache-Control', 'no-store');
    return this.infrastructure.view();
  }
}
