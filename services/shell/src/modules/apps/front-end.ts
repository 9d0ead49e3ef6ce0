import type { CachedApp } from './registry-cache.js';
import { isInShare } from './share.js';

/** Which front-end an organization gets while a newer one is rolled out. */
export type FrontEndChoice = 'stable' | 'canary';

export function frontEndChoice({ slug, uiCanary }: Pick<CachedApp, 'slug' | 'uiCanary'>, organizationId: string): FrontEndChoice {
  return uiCanary !== null && isInShare('front-end', slug, organizationId, uiCanary.percent) ? 'canary' : 'stable';
}

/** The app with the front-end that the organization gets. */
export function seenFrom(app: CachedApp, organizationId: string): CachedApp {
  if (app.uiCanary === null || frontEndChoice(app, organizationId) === 'stable') return app;
  const { uiUrl, version, metadata, navigation } = app.uiCanary;
  return { ...app, uiUrl, version, metadata, navigation };
}
