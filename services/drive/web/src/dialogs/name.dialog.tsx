import { Button, Group, Stack, TextInput } from '@mantine/core';
import { ErrorState, notifyDone, useServerForm, useTranslation } from '@satellite/web-kit';
import { useDrive, type Drive } from '../api/drive.js';
import type { Entry } from '../api/lists.js';
import { Frame } from './frame.js';

interface Props {
  /** What gets another name; nothing: a new folder. */
  readonly entry?: Entry;
  /** Of the new folder. */
  readonly place?: string | null;
  readonly onClose: () => void;
}

/** Names a new folder, or renames something. */
export function NameDialog({ entry, place = null, onClose }: Props) {
  const { t } = useTranslation('drive');
  const drive = useDrive();
  const { form, busy, problem, onSubmit } = useServerForm({
    initialValues: { name: entry?.name ?? '' },
    validate: { name: (name: string) => (name.trim() === '' ? t('name.required') : null) },
    fieldOf: (reason) => (reason.endsWith('.name_in_use') ? 'name' : undefined),
    submit: async ({ name }) => {
      if (entry) await update(drive, entry, { name: name.trim() });
      else await drive.client.POST('/folders', { body: { name: name.trim(), parentId: place } });
      await drive.refresh();
      notifyDone(t(entry ? 'name.renamed' : 'folder.made', { name: name.trim() }));
      onClose();
    },
  });
  return (
    <Frame title={entry ? t('name.rename', { name: entry.name }) : t('folder.new')} onClose={onClose}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          {problem !== undefined && <ErrorState error={problem} />}
          <TextInput label={t('name.label')} data-autofocus autoComplete="off" onFocus={({ currentTarget }) => selectStem(currentTarget, entry)} {...form.getInputProps('name')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>{t('kit:cancel')}</Button>
            <Button type="submit" loading={busy}>{t(entry ? 'action.rename' : 'folder.create')}</Button>
          </Group>
        </Stack>
      </form>
    </Frame>
  );
}

/** The ending of a file stays, as a rule. */
function selectStem(input: HTMLInputElement, entry: Entry | undefined): void {
  const dot = entry?.kind === 'file' ? input.value.lastIndexOf('.') : -1;
  input.setSelectionRange(0, dot > 0 ? dot : input.value.length);
}

/** Renames or moves, unless somebody else has changed it since it was listed. */
export async function update({ client }: Drive, { kind, id, version }: Entry, change: { readonly name?: string; readonly place?: string | null }): Promise<void> {
  const { name, place } = change;
  const params = { path: { id }, header: { 'If-Match': `"${version}"` } };
  if (kind === 'folder') await client.PATCH('/folders/{id}', { params, body: { ...(name !== undefined && { name }), ...(place !== undefined && { parentId: place }) } });
  else await client.PATCH('/files/{id}', { params, body: { ...(name !== undefined && { name }), ...(place !== undefined && { folderId: place }) } });
}
