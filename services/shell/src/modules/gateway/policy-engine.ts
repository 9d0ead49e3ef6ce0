import { inTime, type FeedFollower, type FeedHeads, type Feeds } from '../../feeds.js';
import { compileOrganization, compilePerson, type OrganizationIndex, type Subject } from './policy-index.js';
import type { PolicyRepository } from './policy.repository.js';

/** Organizations kept; the one that was loaded first goes first. */
const MAX_ORGANIZATIONS = 1000;
const MAX_UNKNOWN = 10_000;
/** For how long an id that nobody has is not looked up again. */
const UNKNOWN_MS = 500;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

interface Loading {
  readonly promise: Promise<OrganizationIndex | undefined>;
  /** A change of the organization was heard of meanwhile: what comes must know it. */
  atLeast: number;
}

/**
 * What people may do, in memory: one compiled index an organization, loaded when somebody first asks and dropped when
 * the policy feed says that it changed. Answers are at most as old as the feed's last look; without one there are none.
 */
export class PolicyEngine implements FeedFollower {
  private readonly organizations = new Map<string, OrganizationIndex>();
  private readonly loading = new Map<string, Loading>();
  /** User → organization: where to look first. */
  private readonly homes = new Map<string, string>();
  private readonly unknown = new Map<string, number>();
  private seq = 0;
  /** Counts restores of the database. */
  private epoch = 0;

  constructor(
    private readonly repository: PolicyRepository,
    private readonly feeds: Feeds,
  ) {
    feeds.follow(this);
  }

  async catchUp({ policy }: FeedHeads): Promise<void> {
    if (policy === this.seq) return;
    if (policy < this.seq) this.forgetAll();
    for (const { organizationId, seq } of await this.repository.changedAfter(this.seq)) this.heard(organizationId, seq);
    this.seq = policy;
  }

  private heard(organizationId: string, seq: number): void {
    const known = this.organizations.get(organizationId);
    if (known && known.version < seq) this.drop(organizationId);
    const loading = this.loading.get(organizationId);
    if (loading && loading.atLeast < seq) loading.atLeast = seq;
  }

  private forgetAll(): void {
    this.organizations.clear();
    this.homes.clear();
    this.loading.clear();
    this.epoch += 1;
    this.seq = 0;
  }

  /** The person, not older than the bound; undefined when there is none. Throws CopiesTooOld when that cannot be known. */
  async subject(userId: string): Promise<Subject | undefined> {
    if (!this.feeds.isFresh()) await this.feeds.fresh();
    const id = userId.toLowerCase();
    return this.indexed(id) ?? inTime(this.loaded(id));
  }

  /** The person as the database has them now; undefined when there is none. Throws CopiesTooOld when it cannot be asked. */
  async readThrough(userId: string): Promise<Subject | undefined> {
    if (!UUID.test(userId)) return undefined;
    const rows = await inTime(this.repository.person(userId));
    return rows && compilePerson(rows);
  }

  private indexed(id: string): Subject | undefined {
    const home = this.homes.get(id);
    return home === undefined ? undefined : this.organizations.get(home)?.subjects.get(id);
  }

  private async loaded(id: string): Promise<Subject | undefined> {
    if (!UUID.test(id) || this.isKnownUnknown(id)) return undefined;
    const home = await this.repository.organizationOf(id);
    if (home === undefined) return this.rememberUnknown(id);
    const subject = (await this.organization(home))?.subjects.get(id);
    if (subject !== undefined) return subject;
    this.drop(home); // it was loaded before the person was there
    return (await this.organization(home))?.subjects.get(id);
  }

  private organization(id: string): Promise<OrganizationIndex | undefined> | OrganizationIndex {
    const kept = this.organizations.get(id);
    if (kept) return kept;
    const loading = this.loading.get(id) ?? this.load(id);
    return loading.promise;
  }

  private load(id: string): Loading {
    const loading: Loading = { atLeast: 0, promise: this.read(id, () => loading.atLeast).finally(() => this.loading.get(id) === loading && this.loading.delete(id)) };
    this.loading.set(id, loading);
    return loading;
  }

  private async read(id: string, atLeast: () => number): Promise<OrganizationIndex | undefined> {
    const { epoch } = this;
    for (;;) {
      const rows = await this.repository.organization(id);
      if (rows === undefined) return undefined;
      const index = compileOrganization(rows);
      if (epoch !== this.epoch) return index; // of before a restore: nobody else may get it
      if (index.version < atLeast()) continue; // it changed while it was read
      this.keep(id, index);
      return index;
    }
  }

  private keep(id: string, index: OrganizationIndex): void {
    this.drop(id);
    this.organizations.set(id, index);
    for (const userId of index.subjects.keys()) this.homes.set(userId, id);
    if (this.organizations.size <= MAX_ORGANIZATIONS) return;
    const oldest = this.organizations.keys().next().value;
    if (oldest !== undefined) this.drop(oldest);
  }

  /** Forgets an organization and its people: the next index names who is still there, and deleted users must not stay. */
  private drop(id: string): void {
    const index = this.organizations.get(id);
    if (index === undefined) return;
    this.organizations.delete(id);
    // somebody who moved is at home elsewhere by now
    for (const userId of index.subjects.keys()) if (this.homes.get(userId) === id) this.homes.delete(userId);
  }

  private isKnownUnknown(id: string): boolean {
    const until = this.unknown.get(id);
    if (until === undefined || until > Date.now()) return until !== undefined;
    this.unknown.delete(id);
    return false;
  }

  private rememberUnknown(id: string): undefined {
    this.unknown.set(id, Date.now() + UNKNOWN_MS);
    if (this.unknown.size > MAX_UNKNOWN) this.unknown.delete(this.unknown.keys().next().value ?? '');
  }
}
