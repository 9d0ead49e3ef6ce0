import type { RequestHandler } from 'express';
import { AppError } from '../core/index.js';
import { MethodNotAllowed, RouteNotFound } from './errors.js';
import type { Envelope, IsBare } from './envelope.js';

export interface OpenApiSchema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  nullable?: boolean;
  items?: OpenApiSchema;
  properties?: Record<string, OpenApiSchema>;
  required?: string[];
  additionalProperties?: boolean | OpenApiSchema;
  [keyword: string]: unknown;
}

export interface OpenApiOperation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema?: OpenApiSchema }[];
  requestBody?: { content: Record<string, { schema?: OpenApiSchema }> };
  responses: Record<string, { description: string; content?: Record<string, { schema?: OpenApiSchema; examples?: unknown }> }>;
  [extension: string]: unknown;
}

export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; description?: string };
  servers?: { url: string; description?: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  components?: { schemas?: Record<string, OpenApiSchema>; securitySchemes?: Record<string, unknown> };
  tags?: unknown;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'];

/** The document as clients of this deployment see it: payload schemas inside the chosen envelope. The input stays as it is. */
export function withEnvelope(raw: OpenApiDocument, variant: Envelope, isBare: IsBare): OpenApiDocument {
  const document = structuredClone(raw);
  const base = document.servers?.[0]?.url.replace(/\/$/, '') ?? '';
  document.components = { ...document.components, schemas: { ...document.components?.schemas, ErrorBody: errorSchema(variant) } };
  for (const [path, operations] of Object.entries(document.paths)) {
    if (isBare(`${base}${path}`)) continue;
    for (const operation of Object.values(operations)) wrapOperation(document, operation, variant);
  }
  return document;
}

function wrapOperation(document: OpenApiDocument, operation: OpenApiOperation, variant: Envelope): void {
  for (const [status, response] of Object.entries(operation.responses)) {
    const content = response.content?.['application/json'];
    if (content?.schema === undefined) continue;
    content.schema = Number(status) < 400 ? successSchema(document, content.schema, variant) : { $ref: '#/components/schemas/ErrorBody' };
    delete content.examples;
  }
}

function successSchema(document: OpenApiDocument, payload: OpenApiSchema, variant: Envelope): OpenApiSchema {
  const page = pageOf(document, payload);
  const rows = rowsOf(document, payload);
  const data = page?.items ?? rows?.items ?? payload;
  if (variant === 'satellite') return objectOf({ data, ...((page ?? rows) && { total: { type: 'integer', description: 'Rows in all.' } }) });
  if (variant === 'C') return data;
  const beside: Record<string, OpenApiSchema> = page ? { pagination: page.pagination } : {};
  const head: Record<string, OpenApiSchema> = variant === 'A' ? { code: { type: 'integer', description: 'The HTTP status.' } } : {};
  const tail: Record<string, OpenApiSchema> = variant === 'B' ? { message: { type: 'string' } } : {};
  return objectOf({ ...head, data, ...tail, ...beside });
}

const objectOf = (properties: Record<string, OpenApiSchema>): OpenApiSchema => ({ type: 'object', required: Object.keys(properties), properties });

/** Page<T> is lifted: its rows become `data`. */
function pageOf(document: OpenApiDocument, schema: OpenApiSchema): { items: OpenApiSchema; pagination: OpenApiSchema } | undefined {
  const name = schema.$ref?.split('/').at(-1);
  if (name === undefined || !name.startsWith('Page_')) return undefined;
  const properties = document.components?.schemas?.[name]?.properties;
  return properties?.['items'] && properties['pagination'] ? { items: properties['items'], pagination: properties['pagination'] } : undefined;
}

/** So are those of Rows<T>. */
function rowsOf(document: OpenApiDocument, schema: OpenApiSchema): { items: OpenApiSchema } | undefined {
  const name = schema.$ref?.split('/').at(-1);
  const items = name?.startsWith('Rows_') ? document.components?.schemas?.[name]?.properties?.['rows'] : undefined;
  return items && { items };
}

function errorSchema(variant: Envelope): OpenApiSchema {
  const info: OpenApiSchema = {
    type: 'object',
    required: ['code', 'message', 'requestId'],
    properties: {
      code: { type: 'string', description: 'Stable machine code, for example NOT_FOUND.' },
      message: { type: 'string', description: 'A sentence that says what to change.' },
      requestId: { type: 'string' },
      details: { type: 'object', additionalProperties: true, description: '`reason` carries the module code, for example apps.slug_in_use.' },
    },
  };
  if (variant === 'C') return info;
  if (variant === 'B' || variant === 'satellite') return { type: 'object', required: ['error'], properties: { error: info } };
  return { type: 'object', required: ['code', 'data', 'messageError'], properties: { code: { type: 'integer' }, data: { type: 'object', additionalProperties: true }, messageError: { type: 'string' } } };
}

/** Every path of the document as a pattern for request paths; those without parameters first, as the routes match. */
function patternsOf(document: OpenApiDocument): { path: string; pattern: RegExp; operations: Record<string, OpenApiOperation> }[] {
  const base = document.servers?.[0]?.url.replace(/\/$/, '') ?? '';
  return Object.entries(document.paths)
    .sort(([a], [b]) => Number(a.includes('{')) - Number(b.includes('{')))
    .map(([path, operations]) => ({ path, operations, pattern: new RegExp(`^${`${base}${path}`.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{([^}]+)\}/g, '(?<$1>[^/]+)')}/?$`, 'i') }));
}

/** The operation that a request is for. */
export interface MatchedOperation {
  /** `GET /users/{id}`, as the document has it. */
  readonly name: string;
  /** Of the path, as they were sent. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Finds operations by method and request path. */
export function operationFinder(document: OpenApiDocument): (method: string, path: string) => MatchedOperation | undefined {
  const patterns = patternsOf(document);
  return (method, path) => {
    for (const { path: described, pattern, operations } of patterns) {
      const match = Object.hasOwn(operations, method.toLowerCase()) ? pattern.exec(path) : null;
      if (match) return { name: `${method.toUpperCase()} ${described}`, parameters: { ...match.groups } };
    }
    return undefined;
  };
}

/** After all routes: 405 with `Allow` when the document knows the path under another method, else 404. */
export function unknownRoute(document: OpenApiDocument): RequestHandler {
  const known = patternsOf(document).map(({ pattern, operations }) => ({ pattern, methods: Object.keys(operations).filter((key) => METHODS.includes(key)).map((key) => key.toUpperCase()) }));
  return (req, res, next) => {
    const methods = known.filter(({ pattern }) => pattern.test(`${req.baseUrl}${req.path}`)).flatMap((entry) => entry.methods);
    if (methods.length === 0) return next(new RouteNotFound(`There is nothing at ${`${req.baseUrl}${req.path}`.slice(0, 200)}.`));
    res.setHeader('Allow', [...new Set(methods)].join(', '));
    next(new MethodNotAllowed(`${req.method} is not possible here; use ${methods.join(', ')}.`));
  };
}

/** A query parameter that the operation does not know: a misspelt filter must not answer as if it had been applied. */
export class UnknownParameters extends AppError {
  readonly kind = 'invalid';
  readonly code = 'request.unknown_parameter';
}

/** Before the routes: refuses query parameters that the document does not name, and those given twice; `isFree` paths take any. */
export function knownParametersOnly(document: OpenApiDocument, isFree: (path: string) => boolean): RequestHandler {
  const operations = patternsOf(document).map(({ pattern, operations: methods }) => ({
    pattern,
    names: new Map(Object.entries(methods).map(([method, operation]) => [method.toUpperCase(), new Set((operation.parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name }) => name))])),
  }));
  return (req, _res, next) => {
    const given = Object.entries(req.query);
    if (given.length === 0 || isFree(`${req.baseUrl}${req.path}`)) return next();
    const known = operations.find(({ pattern }) => pattern.test(`${req.baseUrl}${req.path}`))?.names.get(req.method);
    const wrong = given.filter(([name, value]) => known?.has(name) === false || typeof value !== 'string').map(([name]) => name.slice(0, 40));
    next(known === undefined || wrong.length === 0 ? undefined : new UnknownParameters(`Unknown or repeated query parameters: ${wrong.join(', ')}. Known here: ${[...known].join(', ') || 'none'}.`, { parameters: wrong }));
  };
}
