import { z } from 'zod';
import { InvalidFields } from '@satellite/kit/core';
import { lineOfText, problemsOf } from '../../text-rules.js';

const name = lineOfText(64);
const description = lineOfText(500).or(z.literal(''));

/** What a role says of itself; permissions are checked against the catalog. */
export interface RoleFields {
  name: string;
  description: string;
}

const Rules = z.object({ name, description });

/** Throws InvalidFields naming every broken field. */
export function parseRole(given: { name: string; description: string }): RoleFields {
  const parsed = Rules.safeParse(given);
  if (!parsed.success) throw new InvalidFields(problemsOf(parsed.error));
  return parsed.data;
}
