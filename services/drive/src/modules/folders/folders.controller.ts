import type express from 'express';
import { Body, Controller, Delete, Get, Header, Patch, Path, Post, Query, Request, Response, Route, Security, SuccessResponse, Tags } from '@tsoa/runtime';
import { Rows } from '@satellite/kit/core';
import { entityTag, type ErrorView, type Uuid } from '@satellite/kit/http';
import { actorOf } from '../../actor.js';
import type { CreateFolderRequest, FolderView, UpdateFolderRequest } from './folders.dto.js';
import { presentFolder } from './folders.presenter.js';
import type { FoldersService } from './folders.service.js';

@Route('folders')
@Tags('Folders')
@Response<ErrorView>(401, 'No valid token')
@Response<ErrorView>(403, 'The role is not enough, or the folder is somebody else\'s')
export class FoldersController extends Controller {
  constructor(private readonly folders: FoldersService) {
    super();
  }

  /**
   * Folders directly in a folder, by name.
   * @param parentId the root unless given
   * @param limit rows, 1 to 100 (default 100)
   * @param offset rows to pass over
   */
  @Get()
  @Security('bearer', ['files:read'])
  @Response<ErrorView>(400, 'A parameter is wrong')
  @Response<ErrorView>(404, 'There is no such folder')
  async list(@Request() request: express.Request, @Query() parentId?: Uuid, @Query() limit?: number, @Query() offset?: number): Promise<Rows<FolderView>> {
    const { rows, total } = await this.folders.list(actorOf(request), parentId ?? null, { limit, offset });
    return new Rows(rows.map(presentFolder), total);
  }

  /** Makes a folder. */
  @Post()
  @Security('bearer', ['files:write'])
  @SuccessResponse(201, 'Created')
  @Response<ErrorView>(400, 'A field is wrong')
  @Response<ErrorView>(404, 'There is no such parent')
  @Response<ErrorView>(409, 'The name is in use in this place')
  async create(@Request() request: express.Request, @Body() body: CreateFolderRequest): Promise<FolderView> {
    return this.tagged(presentFolder(await this.folders.create(actorOf(request), body)));
  }

  /** Renames or moves a folder. Who is no administrator can do so with folders of their own. */
  @Patch('{id}')
  @Security('bearer', ['files:write'])
  @Response<ErrorView>(400, 'A field is wrong')
  @Response<ErrorView>(404, 'There is no such folder')
  @Response<ErrorView>(409, 'The name is in use there, or the folder would be inside itself')
  @Response<ErrorView>(412, 'If-Match names another version')
  async update(@Request() request: express.Request, @Path() id: Uuid, @Body() body: UpdateFolderRequest, @Header('If-Match') ifMatch?: string): Promise<FolderView> {
    return this.tagged(presentFolder(await this.folders.change(actorOf(request), id, body, ifMatch)));
  }

  /** Deletes a folder with all folders, files and share links below it, for good. */
  @Delete('{id}')
  @Security('bearer', ['files:write'])
  @SuccessResponse(204, 'Deleted')
  @Response<ErrorView>(404, 'There is no such folder')
  async remove(@Request() request: express.Request, @Path() id: Uuid): Promise<void> {
    await this.folders.remove(actorOf(request), id);
  }

  private tagged(view: FolderView): FolderView {
    this.setHeader('ETag', entityTag(view.version));
    return view;
  }
}
