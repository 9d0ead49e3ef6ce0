import { Badge, Button, Card, Group, Stack, Text } from '@mantine/core';
import { confirm, formatRelative, formatTime, Loaded, notifyDone, notifyError, useTranslation } from '@satellite/web-kit';
import IconDeviceDesktop from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs';
import { hooks, type Schemas } from '../../api/shell-api.js';
import { session } from '../../session/session.js';
import { browserOf } from './browser.js';

export function SessionsPanel() {
  const { t } = useTranslation('shell');
  const sessions = hooks.useQuery('get', '/auth/sessions');
  const end = hooks.useMutation('delete', '/auth/sessions/{id}', { onSuccess: () => void sessions.refetch().then(() => notifyDone(t('account.ended'))), onError: (error) => notifyError(error) });
  const ask = async (one: Schemas['SessionView']): Promise<void> => {
    if (!one.current) return end.mutate({ params: { path: { id: one.id } } });
    if (await confirm({ title: t('account.endThis'), children: t('account.endThisText'), confirmLabel: t('auth.signOut') })) await session.end();
  };
  return (
    <Stack>
      <Text size="sm" c="dimmed">{t('account.sessionsText')}</Text>
      <Loaded query={sessions}>
        {({ data }) => data.map((one) => (
          <Card key={one.id} padding="md">
            <Group justify="space-between" wrap="nowrap">
              <Group wrap="nowrap" miw={0}>
                <IconDeviceDesktop size={24} stroke={1.5} aria-hidden />
                <div style={{ minWidth: 0 }}>
                  <Group gap="xs"><Text fw={600} size="sm" truncate>{browserOf(one.userAgent)}</Text>{one.current && <Badge size="sm" variant="light" color="teal">{t('account.thisSession')}</Badge>}</Group>
                  <Text size="xs" c="dimmed" title={formatTime(one.lastUsedAt)}>{one.address} · {t('account.lastUsed', { when: formatRelative(one.lastUsedAt) })}</Text>
                </div>
              </Group>
              <Button size="xs" variant="default" onClick={() => void ask(one)} loading={end.isPending && end.variables.params.path.id === one.id}>{t('account.endSession')}</Button>
            </Group>
          </Card>
        ))}
      </Loaded>
    </Stack>
  );
}
