import type express from 'express';
import { Controller, Get, Request, Response, Route, Security, Tags } from '@tsoa/runtime';
import { actorOf } from '../../actor.js';
import type { ErrorView } from '../../error.dto.js';
import type { StatsView } from './statistics.dto.js';
import { presentStatistics } from './statistics.presenter.js';
import type { StatisticsService } from './statistics.service.js';

@Route('admin/stats')
@Tags('Statistics')
@Response<ErrorView>(401, 'No valid token')
@Response<ErrorView>(403, 'The permission is missing')
export class StatisticsController extends Controller {
  constructor(
    private readonly statistics: StatisticsService,
    private readonly currency: string,
  ) {
    super();
  }

  /** Figures for a dashboard: of one's own organization, or of the whole platform with organizations:list. */
  @Get()
  @Security('bearer', ['settings:read'])
  async get(@Request() request: express.Request): Promise<StatsView> {
    return presentStatistics(await this.statistics.read(actorOf(request)), this.currency);
  }
}
