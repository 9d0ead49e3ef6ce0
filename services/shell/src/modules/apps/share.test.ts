import { createHash } from 'node:crypto';
import { isInShare } from './share.js';

/** Ids in the form of ours, the same in every run. */
const organizations = Array.from({ length: 10_000 }, (_, index) => createHash('md5').update(`organization ${index}`).digest('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'));
const share = (percent: number, slug = 'drive', shared: 'app' | 'front-end' = 'app') => organizations.filter((id) => isInShare(shared, slug, id, percent));
const overlap = (one: readonly string[], other: readonly string[]) => one.filter((id) => other.includes(id)).length / one.length;

describe('a share of the organizations', () => {
  it('is nobody at 0 and everybody at 100', () => {
    expect([share(0).length, share(100).length]).toEqual([0, 10_000]);
  });

  it('only grows: whoever is in a smaller share is in every larger one', () => {
    for (const id of organizations.slice(0, 500)) {
      const joined = Array.from({ length: 101 }, (_, percent) => isInShare('app', 'drive', id, percent));
      expect(joined.lastIndexOf(false)).toBeLessThan(joined.indexOf(true));
    }
  });

  it.each([1, 5, 10, 33, 50, 90, 99])('is about %i percent of 10,000', (percent) => {
    // five standard deviations of a fair choice: what is outside is no accident
    const slack = 5 * Math.sqrt(10_000 * (percent / 100) * (1 - percent / 100));
    for (const slug of ['drive', 'document', 'notes']) expect(Math.abs(share(percent, slug).length - percent * 100)).toBeLessThan(slack);
  });

  // If these change, organizations lose apps that they had in the middle of a roll-out.
  it('is the same in every process and for ever', () => {
    const places = (shared: 'app' | 'front-end') => [1, 2, 3, 4, 5, 6].map((n) => Array.from({ length: 101 }, (_, percent) => isInShare(shared, 'drive', `00000000-0000-4000-8000-00000000000${n}`, percent)).indexOf(true));
    expect(places('app')).toEqual([26, 62, 39, 71, 51, 59]);
    expect(places('front-end')).toEqual([89, 73, 85, 83, 60, 91]);
  });

  it('begins with other organizations for another app, and for the front-end of the same app', () => {
    for (const other of [share(20, 'document'), share(20, 'drive', 'front-end')]) {
      expect(overlap(share(20), other)).toBeGreaterThan(0.1);
      expect(overlap(share(20), other)).toBeLessThan(0.3);
    }
  });
});
