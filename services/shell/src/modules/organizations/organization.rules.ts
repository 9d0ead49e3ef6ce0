import { z } from 'zod';
import { InvalidFields } from '@satellite/kit/core';
import { lineOfText, problemsOf } from '../../text-rules.js';

/** Fields of an organization that people choose. */
export interface OrganizationFields {
  name: string;
  type: string;
  domain: string | null;
}

const DOMAIN = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/i;
const SLUG = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** Leaves room for a suffix. */
const MAX_DERIVED_SLUG = 50;

const Rules = z.object({
  name: lineOfText(200),
  type: lineOfText(40),
  domain: z.preprocess((value) => (value === '' ? null : value), z.string().regex(DOMAIN, 'must be a domain name like example.org').nullable()),
});
const NewRules = Rules.extend({
  slug: z.string().regex(SLUG, 'must be 1 to 63 lower-case letters, digits or -, with no - at either end').optional(),
  plan: z.string(),
});

/** Throws InvalidFields naming every broken field. */
export function parseOrganization(given: OrganizationFields): OrganizationFields {
  const parsed = Rules.safeParse(given);
  if (!parsed.success) throw new InvalidFields(problemsOf(parsed.error));
  return parsed.data;
}

/** The same for one that does not exist yet. */
export function parseNewOrganization(given: { name: string; type: string; plan: string; slug?: string | undefined }): z.infer<typeof NewRules> {
  const parsed = NewRules.safeParse({ ...given, domain: null });
  if (!parsed.success) throw new InvalidFields(problemsOf(parsed.error));
  return parsed.data;
}

/** A name as part of an address: "Žlutý kůň, s.r.o." becomes zluty-kun-s-r-o. */
export function slugOf(name: string): string {
  const words = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return words.replace(/^-+/, '').slice(0, MAX_DERIVED_SLUG).replace(/-+$/, '') || 'organization';
}
