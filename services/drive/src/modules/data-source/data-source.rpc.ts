import type { ServiceImpl } from '@connectrpc/connect';
import type { createServiceGuard } from '@satellite/kit/auth';
import type { DataSource } from '@satellite/proto/datasource/v1';
import type { DataSourceService } from './data-source.service.js';

/** datasource.v1.DataSource over Connect: translates messages, decides nothing. */
export function dataSourceRpc(source: DataSourceService, guard: ReturnType<typeof createServiceGuard>): ServiceImpl<typeof DataSource> {
  const assertService = (header: Headers) => guard(header.get('authorization') ?? undefined);
  return {
    describe: async (_request, { requestHeader }) => {
      await assertService(requestHeader);
      return { resources: source.describe().map(({ name, description, fields }) => ({ name, description, fields: [...fields] })) };
    },
    fetch: async (request, { requestHeader }) => {
      await assertService(requestHeader);
      const { rows, nextPageToken } = await source.fetch(request);
      return { rows: [...rows], nextPageToken };
    },
  };
}
