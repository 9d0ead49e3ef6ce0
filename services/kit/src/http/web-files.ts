import { globSync } from 'node:fs';
import { extname, join } from 'node:path';
import express, { type RequestHandler } from 'express';

/** Names that hold a hash of the content: what they name never changes. */
const HASHED = /-[\w-]{8,}\.[a-z0-9]+$/i;

/**
 * Files of a built front-end. Hashed files may be kept for ever, all others are asked for each time; a file that is
 * missing is 404 and never a page, so that a browser does not take HTML for a script. Where the build left `name.gz`
 * beside a file, browsers that take it get that.
 * @param allowOrigin origin of the Shell when it is another one than that of the files
 */
export function webFiles(folder: string, { allowOrigin }: { readonly allowOrigin?: string } = {}): RequestHandler {
  const compressed = new Set(globSync('**/*.gz', { cwd: folder }).map((file) => `/${file.replace(/\.gz$/, '')}`));
  const files = express.static(folder, {
    index: false,
    redirect: false,
    setHeaders: (response, path) => {
      const name = path.replace(/\.gz$/, '');
      response.setHeader('Cache-Control', HASHED.test(name) && name.includes(`${join('/', 'assets')}/`) ? 'public, max-age=31536000, immutable' : 'no-cache');
      response.setHeader('Cross-Origin-Resource-Policy', allowOrigin === undefined ? 'same-origin' : 'cross-origin');
      if (allowOrigin !== undefined) response.setHeader('Access-Control-Allow-Origin', allowOrigin).vary('Origin');
    },
  });
  return (request, response, next) => {
    if (!compressed.has(request.path)) return files(request, response, next);
    response.vary('Accept-Encoding');
    if (request.acceptsEncodings(['gzip', 'identity']) !== 'gzip') return files(request, response, next);
    const { url } = request;
    response.type(extname(request.path)).setHeader('Content-Encoding', 'gzip');
    request.url = url.replace(/^[^?]*/, (path) => `${path}.gz`);
    // only when it is gone since the start
    return files(request, response, (error) => {
      request.url = url;
      for (const name of ['Content-Encoding', 'Content-Type']) response.removeHeader(name);
      next(error);
    });
  };
}

/** True for a request of a browser that wants to show a page. */
export const wantsPage: (request: express.Request) => boolean = (request) => (request.method === 'GET' || request.method === 'HEAD') && extname(request.path) === '' && request.accepts(['html', 'json']) === 'html';
