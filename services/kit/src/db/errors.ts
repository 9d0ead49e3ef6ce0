import { UniqueConstraintViolationException } from '@mikro-orm/core';

/**
 * Name of the unique constraint that refused a write, else undefined. The constraint, not a look-up before it,
 * is what guarantees uniqueness when two writers race; services turn the name into their own error.
 */
export function violatedUnique(error: unknown): string | undefined {
  if (!(error instanceof UniqueConstraintViolationException)) return undefined;
  return (error as { constraint?: string }).constraint ?? (error.cause as { constraint?: string } | undefined)?.constraint;
}

/** Name of the unique constraint that refused a write, whether the ORM or plain SQL made it. */
export function brokenUnique(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return violatedUnique(error) ?? (code === '23505' && typeof constraint === 'string' ? constraint : undefined);
}
