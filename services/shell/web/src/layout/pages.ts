import IconHome from '@tabler/icons-react/dist/esm/icons/IconHome.mjs';
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs';
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
  { path: '/account', title: 'account.title', icon: IconUser },
];

