import { returnPathOf } from './return-path.js';

const at = (given?: string): string => returnPathOf(given, 'https://good.test');

it.each(['https://evil', '//evil', '/\\evil', '/%2f%2fevil', '/%2F%2Fevil', 'https://good@evil', 'https://good.test@evil/', 'https://good.test.evil.com', 'https://good.test.evil.com/', 'javascript:alert(1)', 'http://good.test/', '\thttps://evil', '/\t/evil', '/a\r\nSet-Cookie: x', '', 'evil', '/a%5c..%5c', 'data:text/html,x', '///evil'])('%j leads home', (given) => {
  expect(at(given)).toBe('/');
});

it.each([['/drive/files?x=1#top', '/drive/files?x=1#top'], ['https://good.test/drive', '/drive'], ['/', '/']])('%s leads to %s', (given, path) => {
  expect(at(given)).toBe(path);
});

it('leads home without a wish', () => {
  expect(at()).toBe('/');
});
