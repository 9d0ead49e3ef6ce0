import { ActionIcon, Box, Group, Loader, Radio, Text } from '@mantine/core';
import { describeError, useTranslation } from '@satellite/web-kit';
import { useQuery } from '@tanstack/react-query';
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';
import IconFolder from '@tabler/icons-react/dist/esm/icons/IconFolder.mjs';
import { useState, type ReactNode } from 'react';
import { useDrive } from '../api/drive.js';
import { foldersIn } from '../api/lists.js';

interface Props {
  readonly label: string;
  /** Null is the root; undefined: nothing is chosen. */
  readonly value: string | null | undefined;
  readonly onChange: (id: string | null) => void;
  /** Folders that are not offered, with all below them. */
  readonly without: ReadonlySet<string>;
}

const ROOT = 'root';

/** One folder of all, chosen by radio buttons in nested lists; what is below a folder is asked for when it is opened. */
export function FolderTree({ label, value, onChange, without }: Props) {
  const { t } = useTranslation('drive');
  return (
    <Radio.Group label={label} value={value === undefined ? '' : value ?? ROOT} onChange={(id) => onChange(id === ROOT ? null : id)}>
      <Listing><Node id={null} name={t('root')} without={without} isOpenFirst /></Listing>
    </Radio.Group>
  );
}

function Listing({ children }: { readonly children: ReactNode }) {
  return <Box component="ul" m={0} pl={0} style={{ listStyle: 'none' }}>{children}</Box>;
}

function Node({ id, name, without, isOpenFirst = false }: { readonly id: string | null; readonly name: string; readonly without: ReadonlySet<string>; readonly isOpenFirst?: boolean }) {
  const { t } = useTranslation('drive');
  const [isOpen, setOpen] = useState(isOpenFirst);
  return (
    <li>
      <Group gap={4} wrap="nowrap" py={3}>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-expanded={isOpen} aria-label={t('move.below', { name })} onClick={() => setOpen(!isOpen)}>{isOpen ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}</ActionIcon>
        <Radio value={id ?? ROOT} label={<Group gap={6} wrap="nowrap"><IconFolder size={18} color="var(--mantine-color-yellow-7)" aria-hidden /><Text span size="sm" style={{ overflowWrap: 'anywhere' }}>{name}</Text></Group>} />
      </Group>
      {isOpen && <Box pl="lg"><Below id={id} without={without} /></Box>}
    </li>
  );
}

function Below({ id, without }: { readonly id: string | null; readonly without: ReadonlySet<string> }) {
  const { t } = useTranslation('drive');
  const { data, error } = useQuery(foldersIn(useDrive(), id));
  if (error) return <Text size="sm" c="var(--mantine-color-error)" role="alert">{describeError(error).message}</Text>;
  if (data === undefined) return <Loader size="xs" type="dots" />;
  const folders = data.rows.filter((folder) => !without.has(folder.id));
  if (folders.length === 0) return <Text size="sm" c="dimmed" pl={30} py={2}>{t('move.none')}</Text>;
  return <Listing>{folders.map((folder) => <Node key={folder.id} id={folder.id} name={folder.name} without={without} />)}</Listing>;
}
