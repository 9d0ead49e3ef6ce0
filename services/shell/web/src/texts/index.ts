import type { Texts } from '@satellite/web-kit';
import { de } from './de.js';
import { deAdmin } from './de-admin.js';
import { en } from './en.js';
import { enAdmin } from './en-admin.js';

/** Words of the Shell; each key is an area of the page. */
export const shellTexts: Texts = { en: { ...en, ...enAdmin }, de: { ...de, ...deAdmin } };
