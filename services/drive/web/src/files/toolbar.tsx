import { Anchor, Box, Breadcrumbs, CloseButton, Group, SegmentedControl, Select, Skeleton, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useDebouncedCallback, useLocalStorage } from '@mantine/hooks';
import { Link, useTranslation } from '@satellite/web-kit';
import IconLayoutGrid from '@tabler/icons-react/dist/esm/icons/IconLayoutGrid.mjs';
import IconList from '@tabler/icons-react/dist/esm/icons/IconList.mjs';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { useState, type ReactNode } from 'react';
import { useDrive } from '../api/drive.js';
import { useCrumbs } from '../api/lists.js';

type View = 'list' | 'grid';

/** Kept in this browser. */
export function useView(): [View, (view: View) => void] {
  const [view, setView] = useLocalStorage<View>({ key: 'drive.view', defaultValue: 'list', getInitialValueInEffect: false });
  return [view === 'grid' ? 'grid' : 'list', setView];
}

interface Props {
  readonly path: readonly string[];
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly view: View;
  readonly onView: (view: View) => void;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

/** Where one is, and how it is shown. */
export function Toolbar({ path, text, onText, view, onView, sort, onSort }: Props) {
  const { t } = useTranslation('drive');
  return (
    <Group justify="space-between" mb="md" gap="sm">
      <Crumbs path={path} isSearch={text !== ''} />
      <Group gap="sm">
        {view === 'grid' && <Select aria-label={t('sort.label')} w={150} allowDeselect={false} value={sort} onChange={(next) => onSort(next ?? 'name')} data={['name', '-updatedAt', '-size'].map((value) => ({ value, label: t(`sort.${value.replace('-', '')}`) }))} />}
        <SearchField text={text} onText={onText} />
        <SegmentedControl
          aria-label={t('view.label')} value={view} onChange={(next) => onView(next as View)}
          data={[{ value: 'list', label: <Labelled label={t('view.list')}><IconList size={18} aria-hidden /></Labelled> }, { value: 'grid', label: <Labelled label={t('view.grid')}><IconLayoutGrid size={18} aria-hidden /></Labelled> }]}
        />
      </Group>
    </Group>
  );
}

function Labelled({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return <Box display="flex" title={label}>{children}<VisuallyHidden>{label}</VisuallyHidden></Box>;
}

/** The address follows what is typed, a little later. */
function SearchField({ text, onText }: { readonly text: string; readonly onText: (text: string) => void }) {
  const { t } = useTranslation('drive');
  const [typed, setTyped] = useState(text);
  const tell = useDebouncedCallback(onText, 250);
  const change = (next: string): void => {
    setTyped(next);
    tell(next.trim());
  };
  return (
    <TextInput
      role="searchbox" aria-label={t('search.label')} placeholder={t('search.placeholder')} leftSection={<IconSearch size={16} aria-hidden />} value={typed} onChange={(event) => change(event.currentTarget.value)} w={{ base: 190, sm: 240 }}
      rightSection={typed !== '' && <CloseButton size="sm" aria-label={t('search.clear')} onClick={() => change('')} />}
    />
  );
}

function Crumbs({ path, isSearch }: { readonly path: readonly string[]; readonly isSearch: boolean }) {
  const { t } = useTranslation('drive');
  const { basePath } = useDrive();
  const crumbs = useCrumbs(path);
  if (isSearch) return <Text fw={500} role="status">{t('search.everywhere')}</Text>;
  const all = [{ id: '', name: t('root'), to: basePath }, ...crumbs.map(({ id, name }, depth) => ({ id, name, to: `${basePath}/folders/${path.slice(0, depth + 1).join('/')}` }))];
  return (
    <nav aria-label={t('where')}>
      <Breadcrumbs separatorMargin={6} styles={{ root: { flexWrap: 'wrap', rowGap: 4 } }}>
        {all.map(({ id, name, to }, index) => {
          const label = name ?? <Skeleton component="span" display="inline-block" w={80} h={14} aria-hidden />;
          return index === all.length - 1 ? <Text key={id} component="span" fw={500} aria-current="page" maw={260} truncate>{label}</Text> : <Anchor key={id} component={Link} to={to} maw={200} truncate>{label}</Anchor>;
        })}
      </Breadcrumbs>
    </nav>
  );
}
