import IconApps from '@tabler/icons-react/dist/esm/icons/IconApps.mjs';
import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs';
import IconChartBar from '@tabler/icons-react/dist/esm/icons/IconChartBar.mjs';
import IconCreditCard from '@tabler/icons-react/dist/esm/icons/IconCreditCard.mjs';
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs';
import IconHome from '@tabler/icons-react/dist/esm/icons/IconHome.mjs';
import IconInbox from '@tabler/icons-react/dist/esm/icons/IconInbox.mjs';
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
import IconTags from '@tabler/icons-react/dist/esm/icons/IconTags.mjs';
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs';
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import type { ComponentType } from 'react';

/** A page of the Shell as menus and the palette show it. */
export interface ShellPage {
  readonly path: string;
  /** Key of its title. */
  readonly title: string;
  readonly icon: ComponentType<{ size?: number | string; stroke?: number }>;
  /** Shown only to people who hold it. */
  readonly permission?: string;
  /** Heading of the navigation that it is under; none: only in the palette. */
  readonly section?: 'main' | 'administration' | 'platform';
}

/** Every page that one can go to, in the order of the navigation. */
export const SHELL_PAGES: readonly ShellPage[] = [
  { path: '/', title: 'nav.launchpad', icon: IconHome, section: 'main' },
  { path: '/admin/users', title: 'users.title', icon: IconUsers, permission: 'users:list', section: 'administration' },
  { path: '/admin/roles', title: 'roles.title', icon: IconLock, permission: 'roles:list', section: 'administration' },
  { path: '/settings/billing', title: 'billing.title', icon: IconCreditCard, permission: 'subscriptions:admin', section: 'administration' },
  { path: '/admin/stats', title: 'stats.title', icon: IconChartBar, permission: 'settings:read', section: 'administration' },
  { path: '/admin/audit', title: 'audit.title', icon: IconHistory, permission: 'settings:read', section: 'administration' },
  { path: '/admin/apps', title: 'apps.title', icon: IconApps, permission: 'apps:list', section: 'platform' },
  { path: '/admin/organizations', title: 'organizations.title', icon: IconBuilding, permission: 'organizations:list', section: 'platform' },
  { path: '/admin/onboarding', title: 'onboarding.title', icon: IconInbox, permission: 'onboarding:list', section: 'platform' },
  { path: '/admin/plans', title: 'plans.title', icon: IconTags, permission: 'plans:write', section: 'platform' },
  { path: '/account', title: 'account.title', icon: IconUser },
];
