import type { SatelliteApp } from '../satellite-app.js';
import { firstViolation } from './policies.js';

const app = (name: string, spec: Partial<SatelliteApp['spec']> = {}, more: Partial<SatelliteApp['metadata']> = {}, status?: SatelliteApp['status']): SatelliteApp => ({
  apiVersion: 'platform.satellite.io/v1alpha1',
  kind: 'SatelliteApp',
  metadata: { name, namespace: 'default', uid: name, generation: 1, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z', ...more },
  spec: { slug: 'drive', name, type: 'satellite', apiUrl: '/api', status: 'active', organizations: { mode: 'All' }, deletionPolicy: 'Delete', suspend: false, interval: '10m', mode: 'Enforce', ...spec },
  status,
});
const reasonOf = (subject: SatelliteApp, ...others: SatelliteApp[]) => firstViolation({ app: subject, claims: [subject, ...others] })?.reason;

describe('policies', () => {
  it.each([
    ['the oldest claim', app('new', {}, { creationTimestamp: '2026-01-02T00:00:00Z' }), app('old')],
    ['of two of one second the registered one', app('a'), app('b', {}, {}, { observedGeneration: 1, registry: { id: '1' } })],
    ['of two alike the smaller uid', app('b'), app('a')],
  ])('give a slug to %s', (_what, loser, winner) => {
    expect(reasonOf(loser, winner)).toBe('SlugConflict');
    expect(reasonOf(winner, loser)).toBeUndefined();
  });

  it('want codes and keys under the own slug, and navigation by declared permissions', () => {
    expect(reasonOf(app('a', { permissions: [{ code: 'other.files:read' }] }))).toBe('PermissionPrefix');
    expect(reasonOf(app('a', { limitKeys: [{ key: 'other.bytes' }] }))).toBe('LimitKeyPrefix');
    expect(reasonOf(app('a', { navigation: [{ title: 'Home', path: '/', permission: 'drive.home:read' }] }))).toBe('NavigationPermissionUnknown');
    expect(reasonOf(app('a', { permissions: [{ code: 'drive.home:read' }], navigation: [{ title: 'Home', path: '/', permission: 'drive.home:read' }] }))).toBeUndefined();
  });
});
