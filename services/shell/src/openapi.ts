import type { OpenApiDocument } from '@satellite/kit/http';
import raw from './generated/openapi.raw.json' with { type: 'json' };

/** Paths whose shapes are other people's standards; never in an envelope. */
const BARE = new Set(['/api/health', '/api/.well-known/jwks.json', '/api/doc/openapi.json', '/api/doc/explorer']);

export const isBare = (path: string): boolean => BARE.has(path);

/** The description generated from the controllers, before any envelope. */
export const rawOpenApi = raw as unknown as OpenApiDocument;
