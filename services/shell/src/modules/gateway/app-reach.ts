import { inTime } from '../../feeds.js';

/** Whether an app can be used in an organization; the apps module knows the rule. */
export interface AppsOfOrganizations {
  find(slug: string, organizationId: string): Promise<{ readonly active: boolean; readonly enabled: boolean } | undefined>;
}

const KEEP_MS = 500;
const MAX_KEPT = 10_000;

/** Where apps are enabled, by the apps module's own rule; an answer is used for half a second. */
export class AppReach {
  private readonly kept = new Map<string, { enabled: Promise<boolean>; until: number }>();

  constructor(private readonly apps: AppsOfOrganizations) {}

  /** Throws CopiesTooOld when it cannot be known. */
  isEnabled(slug: string, organizationId: string): Promise<boolean> {
    const key = `${slug} ${organizationId}`;
    const found = this.kept.get(key);
    if (found && found.until > Date.now()) return found.enabled;
    const entry = { enabled: this.isEnabledNow(slug, organizationId), until: Date.now() + KEEP_MS };
    entry.enabled.catch(() => this.kept.get(key) === entry && this.kept.delete(key)); // who comes next asks again
    this.kept.delete(key);
    this.kept.set(key, entry);
    if (this.kept.size > MAX_KEPT) this.kept.delete(this.kept.keys().next().value ?? '');
    return entry.enabled;
  }

  /** The same, from the database. */
  async isEnabledNow(slug: string, organizationId: string): Promise<boolean> {
    const app = await inTime(this.apps.find(slug, organizationId));
    return app !== undefined && app.active && app.enabled;
  }
}
