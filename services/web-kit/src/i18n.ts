import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { LANGUAGES, type Texts } from './languages.js';
import { kitTexts } from './texts.js';

/** Starts the translations; called once, by whoever owns the page. */
export async function startTranslations(language: string): Promise<void> {
  // There from the start: a language without any texts is not taken for the current one, and figures would be English.
  const resources = Object.fromEntries(Object.entries(kitTexts).map(([code, kit]) => [code, { kit }]));
  await i18next.use(initReactI18next).init({ lng: language, fallbackLng: 'en', supportedLngs: LANGUAGES.map(({ code }) => code), nonExplicitSupportedLngs: true, interpolation: { escapeValue: false }, returnNull: false, resources });
}

/** Adds an app's texts; they show in the language of the Shell, and change with it. */
export function addTexts(namespace: string, texts: Texts): void {
  for (const [language, resource] of Object.entries(texts)) i18next.addResourceBundle(language, namespace, resource, true, true);
}

export async function changeLanguage(language: string): Promise<void> {
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

/** The language that the page is in now. */
export function currentLanguage(): string {
  return i18next.resolvedLanguage ?? 'en';
}

export { useTranslation } from 'react-i18next';
