import { Kbd, Text, UnstyledButton, Group } from '@mantine/core';
import { Spotlight, spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { AppIcon, useNavigate, useTranslation, type AppInfo } from '@satellite/web-kit';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { useApps } from '../apps/use-apps.js';
import { useCan } from '../session/me.js';
import { SHELL_PAGES } from './pages.js';

const isApple = /Mac|iP(hone|ad)/.test(navigator.userAgent);
/** How the palette is opened, as this machine writes it. */
export const PALETTE_KEYS = isApple ? '⌘ K' : 'Ctrl K';

export function PaletteButton() {
  const { t } = useTranslation('shell');
  return (
    <UnstyledButton onClick={spotlight.open} aria-label={`${t('nav.search')} ${PALETTE_KEYS}`} px="sm" h={36} flex={{ base: '0 0 auto', sm: '0 1 340px' }} bd="1px solid var(--platform-border)" style={{ borderRadius: 'var(--mantine-radius-md)' }}>
      <Group justify="space-between" wrap="nowrap">
        <Group gap="xs" wrap="nowrap"><IconSearch size={16} aria-hidden /><Text size="sm" c="dimmed" visibleFrom="sm" truncate>{t('nav.search')}</Text></Group>
        <Kbd size="xs" visibleFrom="sm">{PALETTE_KEYS}</Kbd>
      </Group>
    </UnstyledButton>
  );
}

/** Everything one can go to, by its name: pages of the Shell, apps, and what apps declare. */
export function Palette() {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const can = useCan();
  const apps = useApps();
  const go = (path: string) => () => void navigate(path);
  const pages: SpotlightActionGroupData = {
    group: t('palette.pages'),
    actions: SHELL_PAGES.filter(({ permission }) => permission === undefined || can(permission)).map(({ path, title, icon: Icon }) => ({ id: path, label: t(title), leftSection: <Icon size={20} stroke={1.6} />, onClick: go(path) })),
  };
  const groups = [pages, ...(apps.data ?? []).filter(({ remoteEntry }) => remoteEntry !== null).map((app) => appGroup(app, can, go))];
  return <Spotlight actions={groups} nothingFound={t('palette.nothing')} shortcut="mod + K" highlightQuery scrollable attributes={{ content: { 'aria-label': t('nav.search') } }} searchProps={{ leftSection: <IconSearch size={18} />, placeholder: t('nav.search'), 'aria-label': t('nav.search') }} />;
}

function appGroup(app: AppInfo, can: (permission: string) => boolean, go: (path: string) => () => void): SpotlightActionGroupData {
  const icon = <AppIcon app={app} size={28} />;
  const entries = (app.metadata.navigation ?? []).filter(({ permission }) => permission === undefined || can(permission));
  return {
    group: app.name,
    actions: [
      { id: app.slug, label: app.name, ...(app.description !== null && { description: app.description }), leftSection: icon, onClick: go(`/apps/${app.slug}`) },
      ...entries.filter(({ path }) => path !== '/').map(({ title, path }) => ({ id: `${app.slug}${path}`, label: `${app.name}: ${title}`, leftSection: icon, onClick: go(`/apps/${app.slug}${path}`) })),
    ],
  };
}
