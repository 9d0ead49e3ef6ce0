import i18next from 'i18next';
import { formatBytes, formatMoney, formatNumber, formatRelative } from './format.js';
import { addTexts, currentLanguage, startTranslations } from './i18n.js';
import { LANGUAGES, type Texts } from './languages.js';
import { kitTexts } from './texts.js';

const say = (key: string, values: object = {}): string => i18next.t(key, { ns: 'notes', ...values });

describe('texts', () => {
  beforeAll(async () => {
    await startTranslations('de-CH');
    // as an app would that was written before the Shell learned German
    addTexts('notes', { en: { title: 'Notes', found_one: 'one note', found_other: '{{count}} notes', by: 'by {{name}}' }, de: { title: 'Notizen' } } as Texts);
  });

  it('are in the language of a region when there is none for the region', () => {
    expect([currentLanguage(), say('title')]).toEqual(['de', 'Notizen']);
  });

  it('fall back to English one by one, with its own plurals', () => {
    expect([say('found', { count: 1 }), say('found', { count: 3 })]).toEqual(['one note', '3 notes']);
  });

  it('keep what people are called as it is; React escapes it', () => {
    expect(say('by', { name: 'O\'Neil & <Son>' })).toBe('by O\'Neil & <Son>');
  });

  it('of the kit are there in every language, key by key', () => {
    const keys = Object.keys(kitTexts.en as object).sort();
    for (const { code } of LANGUAGES) expect(Object.keys(kitTexts[code] as object).sort()).toEqual(keys);
  });
});

describe('figures, as a language writes them', () => {
  beforeEach(() => i18next.changeLanguage('en'));

  it.each([[0, '0 B'], [999, '999 B'], [1000, '1 kB'], [1_449_000, '1.4 MB'], [999_999, '1,000 kB'], [250e9, '250 GB'], [3e18, '3,000 PB']])('%d bytes are %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it('have a decimal comma in German', async () => {
    await i18next.changeLanguage('de');
    expect([formatBytes(1_449_000), formatNumber(12_345)]).toEqual(['1,4 MB', '12.345']);
  });

  it('of money show cents only when there are some', () => {
    expect([formatMoney(19), formatMoney(19.5)]).toEqual(['$19', '$19.50']);
  });

  it.each([[0, 'now'], [-3 * 3600, '3 hours ago'], [2 * 86_400, 'in 2 days'], [-86_400, 'yesterday']])('of time tell %d seconds as %s', (seconds, text) => {
    expect(formatRelative(new Date(Date.now() + seconds * 1000 + Math.sign(seconds) * 500))).toBe(text);
  });
});
