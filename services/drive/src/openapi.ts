import { withEnvelope, type OpenApiDocument } from '@satellite/kit/http';
import raw from './generated/openapi.raw.json' with { type: 'json' };

/** Paths whose shapes are other people's standards; never in an envelope. */
const BARE = new Set(['/api/auth/exchange', '/api/health', '/api/doc/openapi.json']);

export const isBare = (path: string): boolean => BARE.has(path);

/** The description generated from the controllers, before any envelope. */
export const rawOpenApi = raw as unknown as OpenApiDocument;

const UPLOAD = { required: true, content: { 'multipart/form-data': { schema: { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' }, folderId: { type: 'string', format: 'uuid', description: 'Outside of folders unless given.' } } } } } };

/** The description as clients see it, with what tsoa cannot say. */
export function describeApi(): OpenApiDocument {
  const document = withEnvelope(rawOpenApi, 'satellite', isBare);
  const upload = document.paths['/files/upload']?.['post'];
  if (upload) upload.requestBody = UPLOAD;
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    operation.summary ??= operation.description?.split(/(?<=[.;:])\s/)[0]?.replace(/[.;:]$/, '') ?? ''; // what lists of operations show
    for (const { content } of Object.values(operation.responses)) for (const [type, body] of Object.entries(content ?? {})) if (type === 'application/octet-stream') body.schema = { type: 'string', format: 'binary' };
  }
  return document;
}
