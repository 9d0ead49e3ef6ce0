import { Button, Divider, Group, Text } from '@mantine/core';
import { confirm, currentLanguage, notifyDone, notifyError, useTranslation } from '@satellite/web-kit';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../api/shell-api.js';
import { useApps } from '../../apps/use-apps.js';

/** Names the samples in the launchpad, with a way to be rid of them. */
export function Samples() {
  const { t } = useTranslation('shell');
  const samples = (useApps().data ?? []).filter(({ metadata }) => metadata.origin === 'sample');
  const queries = useQueryClient();
  const removal = useMutation({
    mutationFn: () => switchOff(samples.map(({ slug }) => slug)),
    onSuccess: () => notifyDone(t('firstRun.samplesRemoved')),
    onError: (error) => notifyError(error),
    onSettled: () => queries.invalidateQueries({ queryKey: ['get', '/config/apps'] }),
  });
  if (samples.length === 0) return null;
  const names = new Intl.ListFormat(currentLanguage()).format(samples.map(({ name }) => name));
  const ask = async (): Promise<void> => {
    if (await confirm({ title: t('firstRun.removeAsk'), children: t('firstRun.removeText', { names }), confirmLabel: t('firstRun.removeSamples') })) removal.mutate();
  };
  return (
    <>
      <Divider my="md" />
      <Group justify="space-between" gap="sm">
        <Text size="sm">{t('firstRun.samples', { names })}</Text>
        <Button size="xs" variant="subtle" color="red" loading={removal.isPending} onClick={() => void ask()}>{t('firstRun.removeSamples')}</Button>
      </Group>
    </>
  );
}

/** Switches apps off for every organization that has them. Their entries stay: whoever registered them would bring them back. */
async function switchOff(slugs: readonly string[]): Promise<void> {
  const { data } = await client.GET('/admin/apps', { params: { query: { limit: 100 } } });
  for (const { id } of data?.data.filter(({ slug }) => slugs.includes(slug)) ?? []) {
    const organizations = await client.GET('/admin/apps/{id}/organizations', { params: { path: { id } } });
    for (const { organizationId } of organizations.data?.data.filter(({ enabled }) => enabled) ?? []) {
      await client.PUT('/admin/apps/{id}/organizations/{organizationId}', { params: { path: { id, organizationId } }, body: { enabled: false } });
    }
  }
}
