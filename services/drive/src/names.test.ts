import { parseName } from './names.js';

describe('a name', () => {
  it.each(['', ' ', '.', '..', '../../etc/x', '..\\..\\x', 'a/b', 'a\\b', 'a\0b', 'a\nb', 'a\u202etxt.exe', '\u200b', 'a\ud800b', 'ä'.repeat(128)])('%j is refused', (name) => {
    expect(() => parseName(name)).toThrow('Invalid field');
  });

  it.each(['x', 'CON', '%2e%2e%2f', '...', 'name with spaces.tar.gz', 'übergröße.txt', '日本語', '👩‍🚀'.replace('\u200d', ''), 'a'.repeat(255), "it's; drop table", '<script>.html', '$(rm)'])('%j is a label like any other', (name) => {
    expect(parseName(name)).toBe(name);
  });

  it('is the same however its accents are written, and without space around it', () => {
    expect(parseName('  e\u0301te\u0301 ')).toBe('\u00e9t\u00e9');
  });
});
