import { Avatar, Menu, Text, UnstyledButton } from '@mantine/core';
import { Link, useTranslation } from '@satellite/web-kit';
import IconDevices from '@tabler/icons-react/dist/esm/icons/IconDevices.mjs';
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
import IconSettings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs';
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs';
import { useMe } from '../session/me.js';
import { session } from '../session/session.js';

export function UserMenu() {
  const { t } = useTranslation('shell');
  const { firstName, lastName, email } = useMe();
  const initials = `${firstName.charAt(0)}${lastName.charAt(0)}`.toUpperCase(); // part of the name: who speaks to the page says what they see
  return (
    <Menu position="bottom-end" width={240} withinPortal>
      <Menu.Target>
        <UnstyledButton aria-label={`${t('nav.user')}: ${initials}`}><Avatar radius="xl" color="indigo" size={36}>{initials}</Avatar></UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label><Text fw={600} c="var(--mantine-color-text)" size="sm" truncate>{firstName} {lastName}</Text><Text size="xs" truncate>{email}</Text></Menu.Label>
        <Menu.Divider />
        <Menu.Item component={Link} to="/account" leftSection={<IconUser size={16} />}>{t('account.profile')}</Menu.Item>
        <Menu.Item component={Link} to="/account/sessions" leftSection={<IconDevices size={16} />}>{t('account.sessions')}</Menu.Item>
        <Menu.Item component={Link} to="/account/preferences" leftSection={<IconSettings size={16} />}>{t('account.preferences')}</Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void session.end()}>{t('auth.signOut')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
