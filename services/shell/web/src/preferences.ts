import { LANGUAGES } from '@satellite/web-kit';

const KEY = 'platform.language';

/** The language chosen in this browser, else the browser's own, else English. */
export function preferredLanguage(): string {
  const chosen = localStorage.getItem(KEY);
  const wishes = chosen === null ? navigator.languages.map((tag) => tag.split('-')[0]) : [chosen];
  return wishes.find((wish) => LANGUAGES.some(({ code }) => code === wish)) ?? 'en';
}

export function rememberLanguage(language: string): void {
  localStorage.setItem(KEY, language);
}
