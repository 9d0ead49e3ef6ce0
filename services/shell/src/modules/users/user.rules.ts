import { z } from 'zod';
import { emailAddress, InvalidFields } from '@satellite/kit/core';
import { lineOfText, problemsOf } from '../../text-rules.js';

/** What is known of a person by name. */
export interface PersonFields {
  email: string;
  username: string;
  firstName: string;
  lastName: string;
}

const Rules = z.object({
  email: emailAddress(),
  // no @: one can sign in with either, so a user name must never look like somebody's address
  username: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/, 'must be 1 to 64 letters, digits, dots, plus, minus or underscores and begin with a letter or digit'),
  firstName: lineOfText(100),
  lastName: lineOfText(100),
});

/** Checks the fields that a person has wherever they come from (registration, invitation, administration); throws InvalidFields. */
export function parsePerson(given: PersonFields): PersonFields {
  const parsed = Rules.safeParse(given);
  if (!parsed.success) throw new InvalidFields(problemsOf(parsed.error));
  return parsed.data;
}
