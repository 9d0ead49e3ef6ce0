import type express from 'express';
import { attachment, sendContent } from '@satellite/kit/http';
import type { ObjectStore } from '@satellite/kit/storage';
import type { File } from './file.entity.js';

/** How long an address of the store is good; a client follows it at once. */
const DIRECT_SECONDS = 60;

/** Sends files; where the store can and the deployment wants it, by sending clients to the store. */
export class Downloads {
  constructor(
    private readonly store: ObjectStore,
    private readonly direct: boolean,
  ) {}

  /** Throws RangeNotSatisfiable, ObjectMissing or StoreFailed. */
  async send(request: express.Request, file: File, cacheControl = 'private, no-cache'): Promise<void> {
    const { res: response } = request;
    if (response === undefined) throw new Error('the request has no response');
    const { name, size, checksum, objectKey, createdAt } = file;
    const contentType = file.contentType.startsWith('text/') ? `${file.contentType}; charset=utf-8` : file.contentType;
    if (this.direct) response.vary('Sec-Fetch-Mode, X-Requested-With');
    const url = this.direct && !isOfScript(request) ? await this.store.directUrl(objectKey, { seconds: DIRECT_SECONDS, contentType, contentDisposition: attachment(name) }) : undefined;
    if (url !== undefined) {
      response.setHeader('Cache-Control', 'no-store');
      return response.redirect(302, url);
    }
    await sendContent(request, response, { size, contentType, fileName: name, checksum, modifiedAt: createdAt, open: (range) => this.store.get(objectKey, range) }, cacheControl);
  }
}

/**
 * A page's script cannot follow to the store: the page's policy does not let it out, and the store need not let it in.
 * Links, and whatever is no browser, can.
 */
function isOfScript({ headers }: express.Request): boolean {
  // browsers say the mode to trustworthy addresses only, so our own front-end says what it is
  return headers['x-requested-with'] !== undefined || headers['sec-fetch-mode'] === 'cors' || headers['sec-fetch-mode'] === 'same-origin';
}

/** The request is for the beginning of a file: further parts of one download are not another one. */
export function isFirstPart(request: express.Request): boolean {
  return request.method === 'GET' && !/^\s*bytes\s*=\s*(0*[1-9]|-)/.test(request.headers.range ?? '');
}
