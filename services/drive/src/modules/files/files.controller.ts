import type { Readable } from 'node:stream';
import type express from 'express';
import { Body, Controller, Delete, Get, Header, Patch, Path, Post, Produces, Query, Request, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { Rows } from '@satellite/kit/core';
import { entityTag, type ErrorView, type Uuid } from '@satellite/kit/http';
import { actorOf } from '../../actor.js';
import { isFirstPart, type Downloads } from './download.http.js';
import type { FileView, UpdateFileRequest } from './files.dto.js';
import { presentFile } from './files.presenter.js';
import type { FilesService } from './files.service.js';
import { receiveUpload } from './multipart.http.js';
import type { UploadsService } from './uploads.service.js';

@Route('files')
@Tags('Files')
@Response<ErrorView>(401, 'No valid token')
@Response<ErrorView>(403, 'The role is not enough, or the file is somebody else\'s')
export class FilesController extends Controller {
  constructor(
    private readonly files: FilesService,
    private readonly uploads: UploadsService,
    private readonly downloads: Downloads,
  ) {
    super();
  }

  /** Stores a file: `multipart/form-data` with `file` and, if it goes into a folder, `folderId`. */
  @Post('upload')
  @Security('bearer', ['files:write'])
  @SuccessResponse(201, 'Stored')
  @Response<ErrorView>(400, 'The body is malformed, or the name cannot be used')
  @Response<ErrorView>(404, 'There is no such folder')
  @Response<ErrorView>(409, 'The name is in use in this place')
  @Response<ErrorView>(413, 'The file is too large')
  @Response<ErrorView>(415, 'The body is not multipart/form-data')
  async upload(@Request() request: express.Request): Promise<FileView> {
    return this.tagged(presentFile(await this.uploads.upload(actorOf(request), (take) => receiveUpload(request, take))));
  }

  /**
   * Files by name.
   * @param folderId only those directly in this folder; `root` for those outside of folders
   * @param q a part of the name, at least 2 characters
   * @param limit rows, 1 to 100 (default 50)
   * @param offset rows to pass over (default 0)
   */
  @Get()
  @Security('bearer', ['files:read'])
  @Response<ErrorView>(400, 'A parameter is wrong')
  @Response<ErrorView>(404, 'There is no such folder')
  async list(@Request() request: express.Request, @Query() folderId?: Uuid | 'root', @Query() q?: string, @Query() limit?: number, @Query() offset?: number): Promise<Rows<FileView>> {
    const { rows, total } = await this.files.list(actorOf(request), { folderId: folderId === 'root' ? null : folderId, q, limit, offset });
    return new Rows(rows.map(presentFile), total);
  }

  /** What is known of a file. */
  @Get('{id}')
  @Security('bearer', ['files:read'])
  @Response<ErrorView>(404, 'There is no such file')
  async get(@Request() request: express.Request, @Path() id: Uuid): Promise<FileView> {
    return this.tagged(presentFile(await this.files.get(actorOf(request).organizationId, id)));
  }

  /** The bytes of a file, or a range of them. */
  @Get('{id}/download')
  @Security('bearer', ['files:read'])
  @Produces('application/octet-stream')
  @Response<ErrorView>(404, 'There is no such file')
  @Response<ErrorView>(416, 'The range is outside of the file')
  async download(@Request() request: express.Request, @Path() id: Uuid): Promise<Readable | undefined> {
    const actor = actorOf(request);
    await this.downloads.send(request, isFirstPart(request) ? await this.files.download(actor, id) : await this.files.get(actor.organizationId, id));
    return undefined;
  }

  /** Renames or moves a file. Who is no administrator can do so with files of their own. */
  @Patch('{id}')
  @Security('bearer', ['files:write'])
  @Response<ErrorView>(400, 'A field is wrong')
  @Response<ErrorView>(404, 'There is no such file or folder')
  @Response<ErrorView>(409, 'The name is in use there')
  @Response<ErrorView>(412, 'If-Match names another version')
  async update(@Request() request: express.Request, @Path() id: Uuid, @Body() body: UpdateFileRequest, @Header('If-Match') ifMatch?: string): Promise<FileView> {
    return this.tagged(presentFile(await this.files.change(actorOf(request), id, body, ifMatch)));
  }

  /** Deletes a file with its share links, for good. */
  @Delete('{id}')
  @Security('bearer', ['files:write'])
  @SuccessResponse(204, 'Deleted')
  @Response<ErrorView>(404, 'There is no such file')
  async remove(@Request() request: express.Request, @Path() id: Uuid): Promise<void> {
    await this.files.remove(actorOf(request), id);
  }

  private tagged(view: FileView): FileView {
    this.setHeader('ETag', entityTag(view.version));
    return view;
  }
}
