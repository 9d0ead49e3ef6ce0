import type express from 'express';
import { Controller, Get, NoSecurity, Produces, Request, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import { sendBare, type OpenApiDocument } from '@satellite/kit/http';
import { EXPLORER_PAGE, EXPLORER_POLICY } from './explorer.js';

@Route('doc')
@Tags('Health and documentation')
export class DocsController extends Controller {
  constructor(private readonly document: OpenApiDocument) {
    super();
  }

  /** This API as an OpenAPI 3.0 document, in the envelope of this deployment. */
  @Get('openapi.json')
  @NoSecurity()
  async openapi(@Request() request: express.Request): Promise<Record<string, unknown>> {
    if (request.res) sendBare(request.res, this.document);
    return {};
  }

  /** The same document to read and try. */
  @Get('explorer')
  @NoSecurity()
  @Produces('text/html')
  @SuccessResponse(200, 'A page', 'text/html')
  async explorer(@Request() request: express.Request): Promise<string> {
    request.res?.setHeader('Content-Security-Policy', EXPLORER_POLICY);
    request.res?.type('html').send(EXPLORER_PAGE);
    return '';
  }
}
