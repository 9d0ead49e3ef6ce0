import { NavLink, Stack, Text } from '@mantine/core';
import { AppIcon, Link, useLocation, useTranslation } from '@satellite/web-kit';
import { useApps } from '../apps/use-apps.js';
import { useCan } from '../session/me.js';
import { SHELL_PAGES, type ShellPage } from './pages.js';

/** Pages and apps, as far as the person may see them. */
export function Navigation() {
  const { t } = useTranslation('shell');
  const { pathname } = useLocation();
  const apps = useApps();
  const withPage = (apps.data ?? []).filter(({ remoteEntry }) => remoteEntry !== null);
  return (
    <Stack gap={2} component="nav" aria-label={t('nav.launchpad')}>
      <Section name="main" />
      {withPage.length > 0 && <Heading>{t('nav.apps')}</Heading>}
      {withPage.map((app) => (
        <NavLink key={app.slug} component={Link} to={`/apps/${app.slug}`} label={app.name} leftSection={<AppIcon app={app} size={24} />} active={pathname === `/apps/${app.slug}` || pathname.startsWith(`/apps/${app.slug}/`)} style={{ borderRadius: 'var(--mantine-radius-md)' }} />
      ))}
      <Section name="administration" />
      <Section name="platform" />
    </Stack>
  );
}

function Section({ name }: { readonly name: NonNullable<ShellPage['section']> }) {
  const { t } = useTranslation('shell');
  const { pathname } = useLocation();
  const can = useCan();
  const pages = SHELL_PAGES.filter(({ section, permission }) => section === name && (permission === undefined || can(permission)));
  if (pages.length === 0) return null;
  return (
    <>
      {name !== 'main' && <Heading>{t(`nav.${name}`)}</Heading>}
      {pages.map(({ path, title, icon: Icon }) => (
        <NavLink key={path} component={Link} to={path} label={t(title)} leftSection={<Icon size={18} stroke={1.6} />} active={path === '/' ? pathname === '/' : pathname === path || pathname.startsWith(`${path}/`)} style={{ borderRadius: 'var(--mantine-radius-md)' }} />
      ))}
    </>
  );
}

function Heading({ children }: { readonly children: string }) {
  return <Text size="xs" fw={600} c="dimmed" px="sm" pt="md" pb={4} tt="uppercase" lts={0.4}>{children}</Text>;
}
