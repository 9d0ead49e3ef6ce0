import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { AppError } from '../core/index.js';
import { noneMatch } from './entity-tag.js';

/** Bytes outside of the content were asked for. */
export class RangeNotSatisfiable extends AppError {
  readonly kind = 'range_not_satisfiable';
  readonly code = 'request.range_not_satisfiable';
  constructor(size: number) {
    super(`There are ${size} bytes. Ask for a range within them.`, { size });
  }
}

/** What is sent, and how a client can tell whether it has it. */
export interface Content {
  readonly size: number;
  readonly contentType: string;
  /** As somebody named it. */
  readonly fileName: string;
  /** SHA-256 in hex; the strong entity tag. */
  readonly checksum: string;
  readonly modifiedAt: Date;
  /** The bytes, or those of a range, both ends included; opened before the first header is sent. */
  open(range?: { start: number; end: number }): Promise<Readable>;
}

/** Files of strangers on our origin: saved, never shown, never sniffed, and without any right should a browser show them all the same. */
const INERT = { 'Content-Security-Policy': "sandbox; default-src 'none'", 'X-Content-Type-Options': 'nosniff', 'Cross-Origin-Resource-Policy': 'same-origin' } as const;

/**
 * Answers a download: conditional requests (RFC 9110 section 13), one range (section 14; several at once are answered
 * with everything), HEAD, and headers under which no browser runs what is in the file. Throws RangeNotSatisfiable and
 * what `open` throws.
 */
export async function sendContent(request: Request, response: Response, content: Content, cacheControl: string): Promise<void> {
  const { size, checksum, modifiedAt } = content;
  const tag = `"${checksum}"`;
  response.set({ ...INERT, 'Accept-Ranges': 'bytes', ETag: tag, 'Last-Modified': modifiedAt.toUTCString(), 'Cache-Control': cacheControl });
  if (isKnown(request, tag, modifiedAt)) return void response.status(304).end();
  const range = request.method === 'GET' ? rangeOf(request, content, tag) : undefined;
  if (range === 'unsatisfiable') {
    response.setHeader('Content-Range', `bytes */${size}`);
    throw new RangeNotSatisfiable(size);
  }
  const length = range === undefined ? size : range.end - range.start + 1;
  const bytes = request.method === 'HEAD' || length === 0 ? undefined : await content.open(range);
  response.status(range === undefined ? 200 : 206);
  if (range !== undefined) response.setHeader('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
  response.setHeader('Content-Length', length);
  response.setHeader('Content-Type', content.contentType); // as it is: Express would add a charset
  response.setHeader('Content-Disposition', attachment(content.fileName));
  response.setHeader('Repr-Digest', `sha-256=:${Buffer.from(checksum, 'hex').toString('base64')}:`); // RFC 9530
  if (bytes === undefined) return void response.end();
  await pipeline(bytes, response).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error; // the client has left
  });
}

/** The range of the request when it asks for one that can be given, of the very content that it knows. */
function rangeOf(request: Request, { size, modifiedAt }: Content, tag: string): { start: number; end: number } | 'unsatisfiable' | undefined {
  const condition = request.headers['if-range'];
  if (typeof condition === 'string' && condition !== tag && condition !== modifiedAt.toUTCString()) return undefined;
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(request.headers.range?.replace(/\s/g, '') ?? '') ?? [];
  if (from === '' && to === '') return undefined; // none, several, or something else
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined; // no range at all
  return start < size && start <= end ? { start, end } : 'unsatisfiable';
}

/** The client has it: by its entity tag, else by its time. */
function isKnown(request: Request, tag: string, modifiedAt: Date): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since } = request.headers;
  if (tags !== undefined) return noneMatch(tags, tag);
  return since !== undefined && Date.parse(since) >= Math.floor(modifiedAt.getTime() / 1000) * 1000;
}

/** `Content-Disposition` with the name in ASCII for old clients and in UTF-8 for the others (RFC 6266, RFC 8187). */
export function attachment(fileName: string): string {
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const utf8 = encodeURIComponent(fileName.replace(/\p{Cs}/gu, '_')).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${utf8}`;
}
