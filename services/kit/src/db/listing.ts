import type { EntityManager } from '@mikro-orm/postgresql';
import type { EntityName, FilterQuery, FindOptions } from '@mikro-orm/core';
import { Page, type FilterOperator, type FilterTerm, type ListQuery } from '../core/index.js';

const likeEscaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

const CONDITIONS: Record<FilterOperator, (value: FilterTerm['value']) => Record<string, unknown>> = {
  eq: (value) => ({ $eq: value }),
  ne: (value) => ({ $ne: value }),
  in: (value) => ({ $in: value }),
  contains: (value) => ({ $ilike: `%${likeEscaped(String(value))}%` }),
  startsWith: (value) => ({ $ilike: `${likeEscaped(String(value))}%` }),
  gt: (value) => ({ $gt: value }),
  gte: (value) => ({ $gte: value }),
  lt: (value) => ({ $lt: value }),
  lte: (value) => ({ $lte: value }),
};

/** One page of an entity by checked list parameters; `scope` is what the caller may see at all. */
export async function findPage<Entity extends object>(em: EntityManager, entity: EntityName<Entity>, query: ListQuery, scope: FilterQuery<Entity>, tieBreaker: string): Promise<Page<Entity>> {
  const terms = query.filter.map((term) => ({ [term.field]: CONDITIONS[term.operator](term.value) }));
  const where = { $and: [scope, ...terms] } as FilterQuery<Entity>;
  // without a unique last key, rows with equal sort values could appear on two pages
  const orderBy = [...query.sort.map(({ field, descending }) => ({ [field]: descending ? 'desc' : 'asc' })), { [tieBreaker]: 'asc' }];
  const options = { orderBy, limit: query.limit, offset: (query.page - 1) * query.limit } as unknown as FindOptions<Entity>;
  const [items, total] = await em.findAndCount(entity, where as never, options);
  return new Page(items as Entity[], { page: query.page, limit: query.limit, total });
}
