import { LockMode, type EntityName, type FilterQuery } from '@mikro-orm/core';
import type { ListQuery, Page } from '../core/index.js';
import type { Database } from './database.js';
import { findPage } from './listing.js';

/** Rows that belong to an organization: none can be reached without saying for whom. */
export abstract class TenantRepository<Entity extends object> {
  constructor(
    protected readonly db: Database,
    private readonly entity: EntityName<Entity>,
  ) {}

  /** What an organization may see of the table; the one place that decides it. */
  protected visibleTo(organizationId: string): FilterQuery<Entity> | Promise<FilterQuery<Entity>> {
    return { organizationId } as unknown as FilterQuery<Entity>;
  }

  async page(organizationId: string, query: ListQuery): Promise<Page<Entity>> {
    return findPage(this.db.em, this.entity, query, await this.visibleTo(organizationId), 'id');
  }

  /** The rows with these ids that the organization may see. */
  async findAll(organizationId: string, ids: readonly string[]): Promise<Entity[]> {
    return this.db.em.find(this.entity, { $and: [{ id: { $in: [...ids] } }, await this.visibleTo(organizationId)] } as never);
  }

  async find(organizationId: string, id: string): Promise<Entity | undefined> {
    return (await this.findAll(organizationId, [id]))[0];
  }

  /** The row, locked until the running transaction ends, so that its version cannot change under a writer. */
  async lock(organizationId: string, id: string): Promise<Entity | undefined> {
    const where = { $and: [{ id }, await this.visibleTo(organizationId)] };
    return (await this.db.em.findOne(this.entity, where as never, { lockMode: LockMode.PESSIMISTIC_WRITE })) ?? undefined;
  }

  /** Stores a new row; throws what the database's constraints say. */
  add(row: Entity): Promise<void> {
    this.db.em.persist(row);
    return this.db.em.flush();
  }

  /** Writes the changes of rows that this transaction has read. */
  flush(): Promise<void> {
    return this.db.em.flush();
  }
}
