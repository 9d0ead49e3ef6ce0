import { SchemaComparison, type ApiBreak } from './schema-breaks.js';
import type { Surface, SurfaceContent, SurfaceOperation } from './surface.js';

/** In what the later surface breaks users of the former, operation by operation. */
export function breaksBetween(before: Surface, after: Surface): readonly ApiBreak[] {
  const comparison = new SchemaComparison(before.schemas, after.schemas);
  for (const [name, old] of Object.entries(before.operations)) {
    const next = after.operations[name];
    if (!next) comparison.found(name, 'is no longer there');
    else {
      compareParameters(comparison, name, old, next);
      compareBodies(comparison, name, old, next);
      compareResponses(comparison, name, old, next);
    }
  }
  return comparison.breaks;
}

function compareParameters(comparison: SchemaComparison, name: string, { parameters: before }: SurfaceOperation, { parameters: after }: SurfaceOperation): void {
  for (const [parameter, old] of Object.entries(before)) {
    const next = after[parameter];
    if (next) comparison.compare(`${name} ${parameter}`, old.schema, next.schema, 'request');
    // A header or cookie that nobody reads any more harms nobody; unknown query parameters are refused.
    else if (parameter.startsWith('query ')) comparison.found(`${name} ${parameter}`, 'is no longer taken');
  }
  for (const [parameter, { required }] of Object.entries(after)) if (required && before[parameter]?.required !== true) comparison.found(`${name} ${parameter}`, 'has to be sent now');
}

function compareBodies(comparison: SchemaComparison, name: string, { body: before }: SurfaceOperation, { body: after }: SurfaceOperation): void {
  if (after?.required === true && before?.required !== true) comparison.found(`${name} body`, 'has to be sent now');
  if (before && !after) comparison.found(`${name} body`, 'is no longer taken');
  if (before && after) compareContents(comparison, `${name} body`, before.content, after.content, 'request');
}

function compareResponses(comparison: SchemaComparison, name: string, { responses: before }: SurfaceOperation, { responses: after }: SurfaceOperation): void {
  for (const [status, old] of Object.entries(before)) {
    const next = after[status];
    if (next) compareContents(comparison, `${name} response ${status}`, old, next, 'response');
    else comparison.found(`${name} response ${status}`, 'is no longer given');
  }
}

function compareContents(comparison: SchemaComparison, where: string, before: SurfaceContent, after: SurfaceContent, direction: 'request' | 'response'): void {
  for (const [media, old] of Object.entries(before)) {
    const next = after[media];
    if (next) comparison.compare(where, old, next, direction);
    else comparison.found(where, direction === 'request' ? `${media} is no longer taken` : `${media} is no longer given`);
  }
}
