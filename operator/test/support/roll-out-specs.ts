import { ReconciledApp } from './reconciled-app.js';
import type { RegistryDouble } from './registry-double.js';

/** What tests of roll-outs share: addresses, a plan of steps, and of waves. */
export const [OLD, NEW, THIRD, API] = ['https://ui.example.org/1', 'https://ui.example.org/2', 'https://ui.example.org/3', 'https://api.example.org'] as const;
export const ROLLOUT = { steps: [{ percent: 10, soak: '1m' }, { percent: 50, soak: '5m' }], failureThreshold: 3, probeInterval: '10s' };
export const MINUTE = 60_000;

/** The spec of an app without a front-end. */
export const minimal = { slug: 'drive', name: 'Drive', type: 'satellite', apiUrl: API };

/** The second version as a registry entry has it for a share of the organizations. */
export const canary = (percent: number) => ({ uiUrl: NEW, version: '2.0.0', percent });

/** An app whose first version everybody has. */
export async function stable(registry: RegistryDouble, over: Record<string, unknown> = {}): Promise<ReconciledApp> {
  const app = new ReconciledApp(registry, 'drive', { ...minimal, uiUrl: OLD, version: '1.0.0', rollout: ROLLOUT, ...over });
  await app.reconcile();
  return app;
}

/** The same, whose second version 10 % of the organizations have. */
export async function underWay(registry: RegistryDouble, over: Record<string, unknown> = {}): Promise<ReconciledApp> {
  const app = await stable(registry, over);
  app.change({ uiUrl: NEW, version: '2.0.0', metadata: { theme: 'new' } });
  await app.reconcile();
  return app;
}

/** An entry without a canary. */
export const everybodyHas = (uiUrl: string, version: string): object => expect.objectContaining({ uiUrl, version, canary: undefined }) as object;
