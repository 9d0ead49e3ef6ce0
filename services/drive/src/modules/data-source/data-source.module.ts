import { createServiceGuard } from '@satellite/kit/auth';
import type { Parts } from '../../parts.js';
import type { UsersRepository } from '../users/index.js';
import { dataSourceRpc } from './data-source.rpc.js';
import { DataSourceService } from './data-source.service.js';
import { ResourcesRepository } from './resources.repository.js';

/** What one Drive gives to other services. */
export function buildDataSource({ db, shell, config }: Parts, standings: UsersRepository) {
  const source = new DataSourceService({ resources: new ResourcesRepository(db), shell, standings });
  return dataSourceRpc(source, createServiceGuard(shell, config.dataClients));
}
