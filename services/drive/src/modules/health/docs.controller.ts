import type express from 'express';
import { Controller, Get, NoSecurity, Request, Route, Tags } from '@tsoa/runtime';
import { sendBare, type OpenApiDocument } from '@satellite/kit/http';

@Route('doc')
@Tags('Health and documentation')
export class DocsController extends Controller {
  constructor(private readonly document: OpenApiDocument) {
    super();
  }

  /** This API as an OpenAPI 3.0 document. */
  @Get('openapi.json')
  @NoSecurity()
  async openapi(@Request() request: express.Request): Promise<Record<string, unknown>> {
    if (request.res) sendBare(request.res, this.document);
    return {};
  }
}
