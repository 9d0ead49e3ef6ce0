import { readFileSync } from 'node:fs';
import { describeApi, rawOpenApi } from '../src/openapi.js';
import { SHELL_PERMISSIONS } from '../src/permissions.js';
import { useShell } from './support/shell.js';

const shell = useShell();
const operations = Object.entries(rawOpenApi.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })));

describe('conventions', () => {
  it.each(operations)('$name says who may call it', ({ operation }) => {
    expect(operation.security).toBeDefined();
    for (const requirement of operation.security ?? []) {
      for (const permission of Object.values(requirement).flat()) expect(SHELL_PERMISSIONS).toContain(permission);
    }
  });

  it.each(operations)('$name has a summary and describes every answer', ({ operation }) => {
    expect(operation.description ?? operation.summary ?? '').not.toBe('');
    for (const response of Object.values(operation.responses)) expect(response.description).not.toBe('');
  });

  it('has the description that is committed', () => {
    const committed: unknown = JSON.parse(readFileSync('services/shell/openapi.json', 'utf8'));
    expect(describeApi('B')).toEqual(committed);
  });

  it('has a migration for every entity', async () => {
    // indexes, checks, defaults and tables without an entity are the migration's own; a column that differs is a mistake
    const difference = await shell().shell.container.db.schemaDifference();
    expect(difference.split('\n').filter((line) => /add column|drop column|alter column|create table/.test(line) && !line.includes('drop default'))).toEqual([]);
  });

  it('keeps an organization in every table, or says why not', async () => {
    const WITHOUT = new Map([
      ['apps', 'the registry is the platform\'s'], ['app_permissions', 'of an app'], ['app_limit_keys', 'of an app'], ['app_removals', 'of the registry'], ['app_reports', 'of an app'], ['app_api_baselines', 'of an app'], ['registry_state', 'of the registry'],
      ['role_permissions', 'of a role'], ['user_roles', 'of a user'], ['refresh_tokens', 'of a session'], ['signing_keys', 'of the platform'], ['service_clients', 'of the platform'],
      ['feeds', 'of the platform'], ['revocations', 'by subject, of any organization'], ['identities', 'of a user'], ['password_links', 'of a user'], ['sign_in_failures', 'counted before anybody is known'], ['mail_outbox', 'of the platform'],
      ['plans', 'the platform\'s'], ['plan_limits', 'of a plan'], ['plan_prices', 'of a plan'], ['payment_events', 'of the processor, about its customers'], ['local_payment_objects', 'the processor\'s own books'], ['local_payment_events', 'the processor\'s own books'],
      ['scheduled_jobs', 'of the platform'], ['onboarding_requests', 'of people without an organization'],
      ['organizations', 'the organization itself'], ['audit_chains', 'its id is the organization'], ['migrations', 'of the schema'],
    ]);
    const tables = await shell().query<{ name: string; owned: boolean }>(`
      select t.table_name as name, exists (select from information_schema.columns c where c.table_schema = 'public' and c.table_name = t.table_name and c.column_name = 'organization_id') as owned
      from information_schema.tables t where t.table_schema = 'public' and t.table_type = 'BASE TABLE'`);
    expect(tables.filter(({ name, owned }) => !owned && !WITHOUT.has(name))).toEqual([]);
  });
});
