import { currentLanguage } from './i18n.js';

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** `1.4 MB`; powers of 1000, as disks and networks are sold. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${new Intl.NumberFormat(currentLanguage(), { maximumFractionDigits: power === 0 || value >= 100 ? 0 : 1 }).format(value)} ${UNITS[power]}`;
}

/** `Nov 20, 2026`. */
export function formatDate(moment: string | Date): string {
  return new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium' }).format(new Date(moment));
}

/** `Nov 20, 2026, 9:41 PM`. */
export function formatTime(moment: string | Date): string {
  return new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(moment));
}

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [['year', 31_536_000], ['month', 2_592_000], ['day', 86_400], ['hour', 3600], ['minute', 60]];

/** `3 hours ago`, `in 2 days`. */
export function formatRelative(moment: string | Date): string {
  const seconds = (new Date(moment).getTime() - Date.now()) / 1000;
  const format = new Intl.RelativeTimeFormat(currentLanguage(), { numeric: 'auto' });
  for (const [unit, size] of STEPS) if (Math.abs(seconds) >= size) return format.format(Math.round(seconds / size), unit);
  return format.format(0, 'second');
}

export function formatNumber(value: number): string {
  return new Intl.NumberFormat(currentLanguage()).format(value);
}

/** @param amount in whole units, such as 19.5 dollars */
export function formatMoney(amount: number, currency = 'USD'): string {
  return new Intl.NumberFormat(currentLanguage(), { style: 'currency', currency, maximumFractionDigits: Number.isInteger(amount) ? 0 : 2 }).format(amount);
}
