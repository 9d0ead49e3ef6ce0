import type { Texts } from '@satellite/web-kit';
import { de } from './de.js';
import { en } from './en.js';

/** Words of Drive; each key is an area of the page. */
export const driveTexts: Texts = { en, de };
