import { rateKeyOfAddress } from './rate-limit.js';

describe('the rate limit key of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['2001:db8::a:1:2:3', '2001:db8::/64'],
    ['2001:DB8:0:0:b:1:2:3', '2001:db8::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['::1', '::/64'],
  ])('%s counts for %s', (address, key) => {
    expect(rateKeyOfAddress(address)).toBe(key);
  });

  it('is one for a whole /64 and another for the next', () => {
    expect(rateKeyOfAddress('2001:db8::a:1:2:3')).toBe(rateKeyOfAddress('2001:db8::b:1:2:3'));
    expect(rateKeyOfAddress('2001:db8:0:1::1')).not.toBe(rateKeyOfAddress('2001:db8::1'));
  });

  it.each(['', 'unknown', '1', '0x7f.1', '192.0.2.256', '2001:db8::/64'])('leaves %j as it is', (text) => {
    expect(rateKeyOfAddress(text)).toBe(text);
  });
});
