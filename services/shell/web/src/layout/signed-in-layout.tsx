import { AppShell, Burger, Group, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, useLocation, useTranslation } from '@satellite/web-kit';
import { useEffect, type ReactNode } from 'react';
import { useMe } from '../session/me.js';
import { Navigation } from './navigation.js';
import { Palette, PaletteButton } from './palette.js';
import { ThemeToggle } from './theme-toggle.js';
import { UserMenu } from './user-menu.js';

/** Header, navigation and the page. */
export function SignedInLayout({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('shell');
  const { organization } = useMe();
  const { pathname } = useLocation();
  const [opened, { toggle, close }] = useDisclosure();
  useEffect(close, [pathname, close]);
  return (
    <>
      <a className="skip-link" href="#content">{t('skip')}</a>
      <AppShell header={{ height: 56 }} navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: !opened } }} padding={{ base: 'md', md: 'xl' }}>
        <AppShell.Header>
          <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="md">
            <Group gap="sm" wrap="nowrap" miw={0}>
              <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('nav.menu')} />
              <Link to="/" aria-label={t('nav.launchpad')} style={{ display: 'flex' }}><img src="/favicon.svg" width={28} height={28} alt="" /></Link>
              <Text fw={650} truncate>{organization.name}</Text>
            </Group>
            <PaletteButton />
            <Group gap="xs" wrap="nowrap">
              <ThemeToggle />
              <UserMenu />
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="xs" component={ScrollArea}><Navigation /></AppShell.Navbar>
        <AppShell.Main id="content" tabIndex={-1}>{children}</AppShell.Main>
      </AppShell>
      <Palette />
    </>
  );
}
