import type express from 'express';
import { Body, Controller, Get, Header, NoSecurity, Path, Post, Put, Query, Request, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import type { Page } from '@satellite/kit/core';
import { entityTag } from '@satellite/kit/http';
import type { Repeatable } from '../../repeatable.http.js';
import type { ErrorView } from '../../error.dto.js';
import type { Uuid } from '../../uuid.dto.js';
import { actorOf } from '../auth/index.js';
import type { ApproveOnboardingRequest, SubmitOnboardingRequest, OnboardingReceiptView, OnboardingView, RejectOnboardingRequest } from './onboarding.dto.js';
import { presentOnboarding } from './onboarding.presenter.js';
import type { OnboardingService } from './onboarding.service.js';

@Route('onboarding')
@Tags('Onboarding')
export class OnboardingController extends Controller {
  constructor(
    private readonly onboarding: OnboardingService,
    private readonly repeatable: Repeatable,
  ) {
    super();
  }

  /**
   * Asks for an organization. The answer is the same whoever has an account; of an applicant's requests the first one waits.
   * @param idempotencyKey a request with the same key and body within 24 hours gets the same answer and does nothing
   */
  @Post()
  @NoSecurity()
  @SuccessResponse(201, 'Received')
  @Response<ErrorView>(400, 'A field is wrong')
  @Response<ErrorView>(429, 'Too many requests')
  @Response<ErrorView>(409, 'A request with this Idempotency-Key is being processed')
  @Response<ErrorView>(422, 'The Idempotency-Key belongs to another request')
  async submit(@Request() request: express.Request, @Body() body: SubmitOnboardingRequest, @Header('Idempotency-Key') idempotencyKey?: string): Promise<OnboardingReceiptView> {
    const present = ({ id }: { id: string }): OnboardingReceiptView => ({ id, status: 'pending' });
    return this.repeatable.once(request, idempotencyKey, { name: 'onboarding.submit', work: () => this.onboarding.submit(body), present });
  }

  /**
   * Lists requests, the latest first.
   * @param page from 1
   * @param limit rows a page, 1 to 100
   * @param sort field, `-` before it for descending: orgName, orgType, applicantEmail, companySize, status, createdAt, decidedAt
   * @param filter JSON, for example {"status":"pending","companySize":{"gte":50}}
   */
  @Get()
  @Security('bearer', ['onboarding:list'])
  @Response<ErrorView>(400, 'A parameter is wrong')
  @Response<ErrorView>(401, 'No valid token')
  @Response<ErrorView>(403, 'The permission is missing')
  async list(@Query() page?: number, @Query() limit?: number, @Query() sort?: string, @Query() filter?: string): Promise<Page<OnboardingView>> {
    return (await this.onboarding.list({ page, limit, sort, filter })).map(presentOnboarding);
  }

  /** One request. */
  @Get('{id}')
  @Security('bearer', ['onboarding:read'])
  @Response<ErrorView>(401, 'No valid token')
  @Response<ErrorView>(403, 'The permission is missing')
  @Response<ErrorView>(404, 'There is no such request')
  async get(@Path() id: Uuid): Promise<OnboardingView> {
    return this.tagged(presentOnboarding(await this.onboarding.get(id)));
  }

  /** Makes the organization with its administrator, who is invited by mail, its plan and its apps. Repeating it changes nothing. */
  @Put('{id}/approve')
  @Security('bearer', ['onboarding:approve'])
  @Response<ErrorView>(400, 'A field is wrong')
  @Response<ErrorView>(401, 'No valid token')
  @Response<ErrorView>(403, 'The permission is missing')
  @Response<ErrorView>(404, 'There is no such request')
  @Response<ErrorView>(409, 'It was rejected, the applicant has an account, or the plan that was asked for is not on offer')
  @Response<ErrorView>(412, 'If-Match names another version')
  @Response<ErrorView>(429, 'The plan has no room for these apps')
  async approve(@Request() request: express.Request, @Path() id: Uuid, @Body() body: ApproveOnboardingRequest, @Header('If-Match') ifMatch?: string): Promise<OnboardingView> {
    return this.tagged(presentOnboarding(await this.onboarding.approve(actorOf(request), id, body, ifMatch)));
  }

  /** Turns the request down. */
  @Put('{id}/reject')
  @Security('bearer', ['onboarding:reject'])
  @Response<ErrorView>(400, 'A field is wrong')
  @Response<ErrorView>(401, 'No valid token')
  @Response<ErrorView>(403, 'The permission is missing')
  @Response<ErrorView>(404, 'There is no such request')
  @Response<ErrorView>(409, 'It was decided before')
  @Response<ErrorView>(412, 'If-Match names another version')
  async reject(@Request() request: express.Request, @Path() id: Uuid, @Body() body: RejectOnboardingRequest, @Header('If-Match') ifMatch?: string): Promise<OnboardingView> {
    return this.tagged(presentOnboarding(await this.onboarding.reject(actorOf(request), id, body.reason, ifMatch)));
  }

  private tagged(view: OnboardingView): OnboardingView {
    this.setHeader('ETag', entityTag(view.version));
    return view;
  }
}
