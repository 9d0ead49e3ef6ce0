import { withEnvelope, type Envelope, type OpenApiDocument } from '@satellite/kit/http';
import raw from './generated/openapi.raw.json' with { type: 'json' };

/** Paths whose shapes are other people's standards; never in an envelope. */
const BARE = new Set(['/api/health', '/api/auth/revocations', '/api/.well-known/jwks.json', '/api/doc/openapi.json', '/api/doc/explorer']);

export const isBare = (path: string): boolean => BARE.has(path);

/** Identity providers add parameters of their own (iss, session_state, …) to the callback. */
export const takesAnyQuery = (path: string): boolean => path === '/api/auth/callback';

/** The description generated from the controllers, before any envelope. */
export const rawOpenApi = raw as unknown as OpenApiDocument;

/** The description as clients of a deployment with this envelope see it. */
export function describeApi(envelope: Envelope): OpenApiDocument {
  const document = withEnvelope(rawOpenApi, envelope, isBare);
  delete document.components?.securitySchemes?.['optional_bearer'];
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const optional = operation.security?.some((requirement) => 'optional_bearer' in requirement);
    operation.summary ??= operation.description?.split(/(?<=[.;])\s/)[0]?.replace(/[.;]$/, '') ?? ''; // what lists of operations show
    if (optional) operation.security = [{}, { bearer: [] }]; // tsoa cannot say "with or without"
  }
  return document;
}
