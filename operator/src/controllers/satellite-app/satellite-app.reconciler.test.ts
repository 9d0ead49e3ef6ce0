import { SatelliteAppReconciler, type ReconcilerOptions } from './satellite-app.reconciler.js';

describe('the reconciler of SatelliteApps', () => {
  it('keeps nothing of an object that is no longer known, and asks nobody about it', async () => {
    const forgotten: string[] = [];
    const forgets = (who: string) => ({ forget: (key: string) => void forgotten.push(`${who} ${key}`) });
    const options = { apps: { get: () => undefined }, status: forgets('status'), observer: forgets('observer'), sightings: forgets('sightings') } as unknown as ReconcilerOptions;
    expect(await new SatelliteAppReconciler(options).reconcile('default/gone', new AbortController().signal)).toEqual({});
    expect(forgotten).toEqual(['status default/gone', 'observer default/gone', 'sightings default/gone']);
  });
});
