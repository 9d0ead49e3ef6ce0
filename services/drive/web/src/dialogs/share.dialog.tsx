import { Badge, Button, Group, Paper, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { confirm, CopyIcon, ErrorState, formatTime, Loaded, notifyError, useTranslation } from '@satellite/web-kit';
import { useState } from 'react';
import { useDrive, type Schemas } from '../api/drive.js';
import type { Entry } from '../api/lists.js';
import { Frame } from './frame.js';

const DAYS = [1, 3, 7] as const;

/** Links with which anybody gets the file: makes, shows and ends them. */
export function ShareDialog({ file, onClose }: { readonly file: Entry; readonly onClose: () => void }) {
  const { t } = useTranslation('drive');
  const { client, hooks } = useDrive();
  const path = { params: { path: { id: file.id } } };
  const links = hooks.useQuery('get', '/files/{id}/share', path, { staleTime: 0 });
  const [days, setDays] = useState<number>(DAYS[1]);
  const [made, setMade] = useState<readonly Schemas['SharedView'][]>([]);
  const make = hooks.useMutation('post', '/files/{id}/share', {
    onSuccess: ({ data }) => {
      setMade((before) => [...before, data]);
      void links.refetch();
    },
  });
  const revoke = async (link: Schemas['LinkView']): Promise<void> => {
    if (!(await confirm({ title: t('share.revokeAsk'), children: t('share.revokeText'), confirmLabel: t('share.revoke') }))) return;
    await client.DELETE('/files/{id}/share/{linkId}', { params: { path: { id: file.id, linkId: link.id } } }).catch((error: unknown) => notifyError(error));
    await links.refetch();
  };
  return (
    <Frame title={t('share.title', { name: file.name })} onClose={onClose} size="lg">
      <Stack>
        <Text size="sm" c="dimmed">{t('share.text')}</Text>
        {make.error !== null && <ErrorState error={make.error} />}
        <Group justify="space-between" align="flex-end">
          <div>
            <Text size="sm" fw={500} id="share-days" mb={4}>{t('share.days')}</Text>
            <SegmentedControl aria-labelledby="share-days" value={String(days)} onChange={(next) => setDays(Number(next))} data={DAYS.map((count) => ({ value: String(count), label: t('share.day', { count }) }))} />
          </div>
          <Button loading={make.isPending} onClick={() => make.mutate({ ...path, body: { ttlDays: days } })} data-autofocus>{t('share.make')}</Button>
        </Group>
        <Loaded query={links}>{({ data }) => <Links links={data} made={made} onRevoke={(link) => void revoke(link)} />}</Loaded>
      </Stack>
    </Frame>
  );
}

function Links({ links, made, onRevoke }: { readonly links: readonly Schemas['LinkView'][]; readonly made: readonly Schemas['SharedView'][]; readonly onRevoke: (link: Schemas['LinkView']) => void }) {
  const { t } = useTranslation('drive');
  const { apiUrl } = useDrive();
  if (links.length === 0) return <Text size="sm" role="status">{t('share.none')}</Text>;
  return (
    <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('share.links')}>
      {links.map((link) => {
        const isNew = made.some(({ url }) => link.token !== null && url.endsWith(`/${link.token}`));
        const url = addressOf(link, made, apiUrl);
        return (
          <Paper key={link.id} component="li" withBorder p="xs">
            <Group gap="xs" wrap="nowrap">
              <TextInput flex={1} miw={0} size="sm" readOnly variant="filled" aria-label={t('share.address')} value={url ?? t('share.noAddress')} onFocus={(event) => event.currentTarget.select()} />
              {url !== undefined && <CopyIcon value={url} label={t('share.copy')} />}
              <Button size="xs" variant="subtle" color="red" onClick={() => onRevoke(link)}>{t('share.revoke')}</Button>
            </Group>
            <Group gap="xs" mt={4}><Text size="xs" c="dimmed">{t('share.until', { time: formatTime(link.expiresAt) })}</Text>{isNew && <Badge size="sm" variant="light" color="teal" tt="none">{t('share.new')}</Badge>}</Group>
          </Paper>
        );
      })}
    </Stack>
  );
}

/** As the API said when the link was made; it tells those of older links by their token only, and serves all of them beside itself. */
function addressOf({ token }: Schemas['LinkView'], made: readonly Schemas['SharedView'][], apiUrl: string): string | undefined {
  if (token === null) return undefined;
  return made.find(({ url }) => url.endsWith(`/${token}`))?.url ?? new URL(`${apiUrl.replace(/\/api\/?$/, '')}/s/${token}`, location.href).href;
}
