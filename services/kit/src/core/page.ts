/** Where a page stands in its list. */
export interface Pagination {
  /** From 1. */
  page: number;
  /** Rows a page, 1 to 100. */
  limit: number;
  /** Rows in all. */
  total: number;
}

/** One page of a list; the envelope sends the rows as `data` and the pagination beside them. */
export class Page<T> {
  constructor(
    readonly items: readonly T[],
    readonly pagination: Pagination,
  ) {}

  map<U>(present: (item: T) => U): Page<U> {
    return new Page(this.items.map(present), this.pagination);
  }
}

/** A part of a list that is not cut into pages; the envelope sends the rows as `data` and the total beside them. */
export class Rows<T> {
  constructor(
    readonly rows: readonly T[],
    /** Rows in all. */
    readonly total: number,
  ) {}
}
