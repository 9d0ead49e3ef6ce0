import { z } from 'zod';
import type { FieldProblem } from './errors.js';

// controls would end up in log lines and mail headers, direction marks in other people's screens
// eslint-disable-next-line no-control-regex -- refusing control characters is the point
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

/** One line of text that a person wrote: not blank, nothing invisible in it, no space around it. */
export function lineOfText(max: number): z.ZodType<string> {
  return z
    .string()
    .max(max, `must be at most ${max} characters`)
    .refine((text) => text.trim() !== '', 'must not be blank')
    .refine((text) => text === text.trim(), 'must not begin or end with a space')
    .refine((text) => !CONTROLS.test(text), 'must not contain control characters');
}

// one address and nothing else: what stands here becomes a mail's recipient
const EMAIL = /^[^\s@<>()[\]\\,;:"]+@[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/i;

/** An address that mail can be sent to. */
export function emailAddress(): z.ZodType<string> {
  return lineOfText(254).refine((value) => EMAIL.test(value) && value.indexOf('@') <= 64, 'must be an e-mail address');
}

/** Every problem that a schema found, by field. */
export function problemsOf(error: z.ZodError): FieldProblem[] {
  return error.issues.map((issue) => ({ field: issue.path.join('.'), message: issue.message }));
}
