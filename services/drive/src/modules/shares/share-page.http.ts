import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import { isAppError } from '@satellite/kit/core';
import type { SharedFile, SharesService } from './shares.service.js';

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;margin:0;min-height:100vh;display:grid;place-items:center;background:Canvas;color:CanvasText}main{padding:2rem;max-width:34rem;text-align:center;overflow-wrap:anywhere}a{display:inline-block;margin-top:1rem;padding:.6rem 1.4rem;border:1px solid;border-radius:.5rem;color:inherit;text-decoration:none}`;
/** The page shows text and one link, and may do nothing else. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/**
 * What `{share_base}/s/<token>` answers: a page to people, the file itself to programs.
 * @param apiPath path of the API as browsers reach it, for example /drive/api
 */
export function sharePage(shares: SharesService, apiPath: string): RequestHandler {
  return (request, response, next) => {
    const token = String(request.params['token']);
    const address = `${apiPath}/public/files/${encodeURIComponent(token)}`;
    response.setHeader('X-Robots-Tag', 'noindex');
    response.setHeader('Cache-Control', 'no-store');
    if (!/\btext\/html\b/.test(request.headers.accept ?? '')) return response.redirect(302, address);
    const send = (status: number, main: string): void => void response.status(status).set('Content-Security-Policy', POLICY).type('html').send(page(main));
    shares.look(token).then(
      (shared) => send(200, offer(shared, address)),
      (error: unknown) => (isAppError(error) && error.kind === 'not_found' ? send(404, `<h1>Nothing here</h1><p>${escaped(error.message)}</p>`) : next(error)),
    );
  };
}

function offer({ file, expiresAt }: SharedFile, address: string): string {
  return `<h1>${escaped(file.name)}</h1><p>${readableSize(file.size)}, ${escaped(file.contentType)}</p><p>Until <time datetime="${expiresAt.toISOString()}">${escaped(expiresAt.toUTCString())}</time></p><a href="${escaped(address)}" download>Download</a>`;
}

const page = (main: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Shared file</title><style>${STYLE}</style></head><body><main>${main}</main></body></html>
`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);

function readableSize(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB'];
  const power = Math.min(units.length - 1, bytes === 0 ? 0 : Math.floor(Math.log(bytes) / Math.log(1000)));
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${units[power]}`;
}
