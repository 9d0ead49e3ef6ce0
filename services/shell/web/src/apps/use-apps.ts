import type { AppInfo } from '@satellite/web-kit';
import type { UseQueryResult } from '@tanstack/react-query';
import { hooks } from '../api/shell-api.js';

/** The apps of the person's organization; looked at again every half minute, so that a new one appears by itself. */
export function useApps(): UseQueryResult<readonly AppInfo[]> {
  return hooks.useQuery('get', '/config/apps', {}, { select: ({ data }) => data as readonly AppInfo[], refetchInterval: 30_000 }) as UseQueryResult<readonly AppInfo[]>;
}
