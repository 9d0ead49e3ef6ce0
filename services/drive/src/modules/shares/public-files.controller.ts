import type { Readable } from 'node:stream';
import type express from 'express';
import { Controller, Get, NoSecurity, Path, Produces, Request, Response, Route, Tags } from '@tsoa/runtime';
import type { ErrorView } from '@satellite/kit/http';
import { isFirstPart, type Downloads } from '../files/index.js';
import type { SharedFileView } from './shares.dto.js';
import type { SharesService } from './shares.service.js';

@Route('public/files/{token}')
@Tags('Public')
@Response<ErrorView>(404, 'The link does not lead anywhere')
@Response<ErrorView>(429, 'Too many wrong links from this address')
export class PublicFilesController extends Controller {
  constructor(
    private readonly shares: SharesService,
    private readonly downloads: Downloads,
  ) {
    super();
  }

  /** The bytes of a shared file, or a range of them. The link is the proof. */
  @Get()
  @NoSecurity()
  @Produces('application/octet-stream')
  @Response<ErrorView>(416, 'The range is outside of the file')
  async download(@Request() request: express.Request, @Path() token: string): Promise<Readable | undefined> {
    const { file } = isFirstPart(request) ? await this.shares.download(token) : await this.shares.look(token);
    await this.downloads.send(request, file, 'private, no-store');
    return undefined;
  }

  /** What the page of a link shows: the file's name, size and type, and when the link ends. */
  @Get('info')
  @NoSecurity()
  async info(@Path() token: string): Promise<SharedFileView> {
    const { file, expiresAt } = await this.shares.look(token);
    this.setHeader('Cache-Control', 'no-store');
    return { name: file.name, size: file.size, contentType: file.contentType, expiresAt };
  }
}
