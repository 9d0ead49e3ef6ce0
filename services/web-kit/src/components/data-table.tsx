import { ActionIcon, Box, Checkbox, Group, Menu, Pagination, Paper, Table, Text, UnstyledButton } from '@mantine/core';
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs';
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs';
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs';
import type { ReactNode } from 'react';
import { formatNumber } from '../format.js';
import { useTranslation } from '../i18n.js';
import { ErrorState, LoadingRows } from './states.js';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Name of the field in the API's `sort`; columns without one cannot be sorted. */
  readonly sort?: string;
  /** Left out on narrow screens. */
  readonly wideOnly?: boolean;
  readonly align?: 'left' | 'right';
  readonly width?: number | string;
}

export interface RowAction<Row> {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly color?: string;
  readonly hidden?: (row: Row) => boolean;
  readonly onClick: (row: Row) => void;
}

export interface DataTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[] | undefined;
  readonly error?: unknown;
  readonly onRetry?: () => void;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly nameOf?: (row: Row) => string;
  /** Shown instead of the table when there are no rows. */
  readonly empty: ReactNode;
  readonly onOpen?: (row: Row) => void;
  readonly actions?: readonly RowAction<Row>[];
  /** As the API takes it: `name` or `-name`. */
  readonly sort?: string;
  readonly onSort?: (sort: string) => void;
  readonly selected?: ReadonlySet<string>;
  readonly onSelect?: (selected: ReadonlySet<string>) => void;
  readonly page?: { readonly number: number; readonly size: number; readonly total: number; readonly onChange: (page: number) => void };
}

/** Rows of something: skeleton while they come, error with retry, empty state, sorting, selection, actions, pages. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, error, onRetry, empty, page } = props;
  if (rows === undefined) return error === undefined || error === null ? <LoadingRows rows={6} /> : <ErrorState error={error} {...(onRetry && { onRetry })} />;
  if (rows.length === 0 && (page?.number ?? 1) === 1) return <Paper withBorder radius="lg">{empty}</Paper>;
  return (
    <>
      <Paper withBorder radius="lg" style={{ overflow: 'hidden' }}>
        <Table.ScrollContainer minWidth={300} pb={0}>
          <Table highlightOnHover aria-label={props.label}>
            <Head {...props} rows={rows} />
            <Table.Tbody>{rows.map((row) => <Row key={props.keyOf(row)} row={row} {...props} />)}</Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Paper>
      {page && <Pages {...page} />}
    </>
  );
}

function Head<Row>({ columns, rows, keyOf, selected, onSelect, actions, sort, onSort }: DataTableProps<Row> & { readonly rows: readonly Row[] }) {
  const { t } = useTranslation('kit');
  const all = rows.map(keyOf);
  const count = all.filter((key) => selected?.has(key)).length;
  return (
    <Table.Thead>
      <Table.Tr>
        {selected && <Table.Th w={48}><Checkbox aria-label={t('selectAll')} checked={count > 0 && count === all.length} indeterminate={count > 0 && count < all.length} onChange={(event) => onSelect?.(new Set(event.currentTarget.checked ? all : []))} /></Table.Th>}
        {columns.map((column) => (
          <Table.Th key={column.key} ta={column.align ?? 'left'} {...(column.width !== undefined && { w: column.width })} {...(column.wideOnly === true && { visibleFrom: 'sm' })} {...(column.sort !== undefined && { 'aria-sort': sort === column.sort ? 'ascending' : sort === `-${column.sort}` ? 'descending' : 'none' })}>
            <HeadCell column={column} sort={sort} onSort={onSort} />
          </Table.Th>
        ))}
        {actions && <Table.Th w={56}><Text component="span" size="xs" style={{ position: 'absolute', clip: 'rect(0 0 0 0)' }}>{t('actions')}</Text></Table.Th>}
      </Table.Tr>
    </Table.Thead>
  );
}

function HeadCell<Row>({ column, sort, onSort }: { readonly column: Column<Row>; readonly sort: string | undefined; readonly onSort: ((sort: string) => void) | undefined }) {
  const { t } = useTranslation('kit');
  const field = column.sort;
  if (field === undefined || !onSort) return column.title;
  const up = sort === field;
  const down = sort === `-${field}`;
  return (
    <UnstyledButton onClick={() => onSort(up ? `-${field}` : field)} aria-label={t('sortBy', { column: column.title })}>
      <Group gap={4} wrap="nowrap">
        <Text component="span" fw={700} size="sm">{column.title}</Text>
        {up && <IconArrowUp size={14} aria-hidden />}
        {down && <IconArrowDown size={14} aria-hidden />}
      </Group>
    </UnstyledButton>
  );
}

function Row<Row>({ row, columns, keyOf, nameOf, selected, onSelect, actions, onOpen }: DataTableProps<Row> & { readonly row: Row }) {
  const { t } = useTranslation('kit');
  const key = keyOf(row);
  const name = nameOf?.(row) ?? key;
  const toggle = (on: boolean): void => {
    const next = new Set(selected);
    if (on) next.add(key);
    else next.delete(key);
    onSelect?.(next);
  };
  return (
    <Table.Tr {...(selected?.has(key) === true && { bg: 'var(--mantine-primary-color-light)' })}>
      {selected && <Table.Td><Checkbox aria-label={t('selectRow', { name })} checked={selected.has(key)} onChange={(event) => toggle(event.currentTarget.checked)} /></Table.Td>}
      {columns.map((column, index) => (
        <Table.Td key={column.key} ta={column.align ?? 'left'} {...(column.wideOnly === true && { visibleFrom: 'sm' })}>
          {index === 0 && onOpen ? <UnstyledButton onClick={() => onOpen(row)} w="100%" display="block"><Box>{column.cell(row)}</Box></UnstyledButton> : column.cell(row)}
        </Table.Td>
      ))}
      {actions && <Table.Td ta="right"><RowMenu row={row} name={name} actions={actions} /></Table.Td>}
    </Table.Tr>
  );
}

/** What can be done with one thing, behind three dots. */
export function RowMenu<Row>({ row, name, actions }: { readonly row: Row; readonly name: string; readonly actions: readonly RowAction<Row>[] }) {
  const { t } = useTranslation('kit');
  const shown = actions.filter(({ hidden }) => hidden?.(row) !== true);
  if (shown.length === 0) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target><ActionIcon variant="subtle" color="gray" aria-label={`${t('actions')}: ${name}`}><IconDots size={18} aria-hidden /></ActionIcon></Menu.Target>
      <Menu.Dropdown>
        {shown.map(({ label, icon, color, onClick }) => <Menu.Item key={label} leftSection={icon} {...(color !== undefined && { color })} onClick={() => onClick(row)}>{label}</Menu.Item>)}
      </Menu.Dropdown>
    </Menu>
  );
}

function Pages({ number, size, total, onChange }: NonNullable<DataTableProps<never>['page']>) {
  const { t } = useTranslation('kit');
  const pages = Math.max(1, Math.ceil(total / size));
  const from = (number - 1) * size + 1;
  return (
    <Group justify="space-between" mt="sm">
      <Text size="sm" c="dimmed">{t('range', { from: formatNumber(Math.min(from, total)), to: formatNumber(Math.min(number * size, total)), total: formatNumber(total) })}</Text>
      {pages > 1 && <Pagination size="sm" total={pages} value={number} onChange={onChange} getControlProps={(control) => ({ 'aria-label': control === 'previous' ? t('previous') : control === 'next' ? t('next') : control })} />}
    </Group>
  );
}
