import { Button, Card, Group, Text, Title } from '@mantine/core';
import { formatTime, useTranslation } from '@satellite/web-kit';
import { useQuery } from '@tanstack/react-query';
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs';
import type { Schemas } from '../../api/shell-api.js';
import { ConditionTable, type Standing } from './condition-table.js';

type App = Schemas['AppView'];

interface Condition {
  readonly type: string;
  readonly status: Standing;
  readonly reason: string;
  readonly message: string;
  readonly since: string;
}

/** An answer that takes longer is none. */
const LIMIT_MS = 8000;

/**
 * Whether the app is well for this browser: what the registry knows of its entry, and what it gets of its API and
 * front-end now. The operator may see it otherwise, from where it is.
 */
export function AppHealth({ app }: { readonly app: App }) {
  const { t } = useTranslation('shell');
  const checks = useQuery({ queryKey: ['app-health', app.id, app.revision], refetchInterval: 30_000, queryFn: async () => [await apiOf(app), ...(app.remoteEntry === null ? [] : [await frontEndOf(app.remoteEntry)])] });
  return (
    <Card>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h3">{t('apps.conditions')}</Title>
        <Group gap="sm">
          {checks.dataUpdatedAt > 0 && <Text size="sm" c="dimmed">{t('apps.lastCheck', { when: formatTime(new Date(checks.dataUpdatedAt)) })}</Text>}
          <Button size="compact-sm" variant="default" leftSection={<IconRefresh size={14} aria-hidden />} loading={checks.isFetching} onClick={() => void checks.refetch()}>{t('apps.checkNow')}</Button>
        </Group>
      </Group>
      <ConditionTable label={t('apps.conditions')} rows={[registered(app), serving(app), ...(checks.data ?? awaited(app))].map(({ type, reason, ...rest }) => ({ ...rest, id: type, name: t(`apps.type_${type}`), reason: t(`apps.reason_${reason}`) }))} />
    </Card>
  );
}

function registered({ revision, source, createdAt, managedBy }: App): Condition {
  const from = managedBy === 'operator' && source ? `${source.namespace}/${source.name}, generation ${source.generation}, ` : '';
  return { type: 'Registered', status: 'true', reason: 'InRegistry', message: `${from}revision ${revision}`, since: createdAt };
}

function serving({ effectiveStatus: status, updatedAt, version }: App): Condition {
  return { type: 'Offered', status: status === 'active' || status === 'degraded' ? 'true' : 'false', reason: status, message: version === null ? '–' : `version ${version}`, since: updatedAt };
}

/** Rows from the beginning: what is below must not move under the pointer. */
function awaited({ remoteEntry }: App): Condition[] {
  return ['Healthy', ...(remoteEntry === null ? [] : ['FrontEnd'])].map((type) => ({ type, status: 'unknown', reason: 'Checking', message: '…', since: new Date().toISOString() }));
}

async function apiOf({ apiUrl }: App): Promise<Condition> {
  const check = await probe(`${apiUrl}/health`);
  if (!(check.response?.ok ?? false)) return { ...check.failure, type: 'Healthy' };
  const body = (await check.response?.json().catch(() => undefined)) as { readonly version?: unknown } | undefined;
  return { type: 'Healthy', status: 'true', reason: 'Answers', message: `${check.took} ms${typeof body?.version === 'string' ? `, version ${body.version}` : ''}`, since: check.at };
}

async function frontEndOf(remoteEntry: string): Promise<Condition> {
  const check = await probe(remoteEntry);
  const type = check.response?.headers.get('content-type') ?? '';
  if (!(check.response?.ok ?? false)) return { ...check.failure, type: 'FrontEnd' };
  if (!/javascript/.test(type)) return { type: 'FrontEnd', status: 'false', reason: 'NotAScript', message: type, since: check.at };
  return { type: 'FrontEnd', status: 'true', reason: 'Answers', message: `${check.took} ms`, since: check.at };
}

/** Without a token: health and front-ends are public. */
async function probe(url: string): Promise<{ readonly response?: Response; readonly took: number; readonly at: string; readonly failure: Omit<Condition, 'type'> }> {
  const began = performance.now();
  const at = new Date().toISOString();
  try {
    const response = await fetch(url, { cache: 'no-store', signal: AbortSignal.timeout(LIMIT_MS) });
    return { response, took: Math.round(performance.now() - began), at, failure: { status: 'false', reason: 'Refuses', message: `status ${response.status}`, since: at } };
  } catch {
    return { took: Math.round(performance.now() - began), at, failure: { status: 'unknown', reason: 'NoAnswer', message: url, since: at } };
  }
}
