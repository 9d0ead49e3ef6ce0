import type { Resource } from 'i18next';

/** Languages of the Shell; an app that lacks one shows English. */
export const LANGUAGES = [{ code: 'en', name: 'English' }, { code: 'de', name: 'Deutsch' }] as const;
export type Language = (typeof LANGUAGES)[number]['code'];

/** Texts of one namespace, such as `drive`, by language. */
export type Texts = Readonly<Record<Language, Resource[string]>>;
