import { useDebouncedValue } from '@mantine/hooks';
import { useSearchParams } from '@satellite/web-kit';
import { useEffect, useState } from 'react';

/** Fields of a filter, as the API takes them. */
export type Filter = Readonly<Record<string, unknown>>;

export interface ListState {
  /** For the request. */
  readonly query: { readonly page: number; readonly limit: number; readonly sort: string; readonly filter?: string };
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly sort: string;
  readonly setSort: (sort: string) => void;
  readonly page: number;
  readonly setPage: (page: number) => void;
}

const SIZE = 20;

/**
 * Page, order and search of a list, kept in the address, so that a reload and a sent link show the same.
 * @param filterOf what to ask for when something is searched
 */
export function useList({ sort: firstSort, filterOf, extra }: { readonly sort: string; readonly filterOf: (text: string) => Filter; readonly extra?: Filter }): ListState {
  const [search, setSearch] = useSearchParams();
  const [text, setText] = useState(search.get('q') ?? '');
  const [settled] = useDebouncedValue(text, 250);
  const page = Math.max(1, Number(search.get('page') ?? 1) || 1);
  const sort = search.get('sort') ?? firstSort;
  const change = (values: Readonly<Record<string, string | undefined>>): void => {
    setSearch((before) => {
      const next = new URLSearchParams(before);
      for (const [name, value] of Object.entries(values)) {
        if (value === undefined || value === '') next.delete(name);
        else next.set(name, value);
      }
      return next;
    }, { replace: true });
  };
  useEffect(() => {
    if ((search.get('q') ?? '') !== settled) change({ q: settled, page: undefined });
  }, [settled]); // only what was typed moves the address
  const filter = { ...(settled.trim() !== '' && filterOf(settled.trim())), ...extra };
  return {
    query: { page, limit: SIZE, sort, ...(Object.keys(filter).length > 0 && { filter: JSON.stringify(filter) }) },
    text, setText, sort, page,
    setSort: (next) => change({ sort: next === firstSort ? undefined : next, page: undefined }),
    setPage: (next) => change({ page: next === 1 ? undefined : String(next) }),
  };
}
