import { Tabs } from '@mantine/core';
import { Page, PageHeader, useLocation, useNavigate, useTranslation } from '@satellite/web-kit';
import { useMe } from '../../session/me.js';
import { PreferencesPanel } from './preferences.panel.js';
import { ProfilePanel } from './profile.panel.js';
import { SecurityPanel } from './security.panel.js';
import { SessionsPanel } from './sessions.panel.js';

const TABS = { profile: ProfilePanel, security: SecurityPanel, sessions: SessionsPanel, preferences: PreferencesPanel } as const;

/** What a person can see and change of themselves. */
export function AccountPage() {
  const { t } = useTranslation('shell');
  const { email } = useMe();
  const navigate = useNavigate();
  const [, , wished = 'profile'] = useLocation().pathname.split('/');
  const current = wished in TABS ? (wished as keyof typeof TABS) : 'profile';
  return (
    <Page narrow>
      <PageHeader title={t('account.title')} description={email} />
      <Tabs value={current} onChange={(tab) => void navigate(tab === 'profile' ? '/account' : `/account/${tab}`)} keepMounted={false}>
        <Tabs.List mb="lg">{Object.keys(TABS).map((tab) => <Tabs.Tab key={tab} value={tab}>{t(`account.${tab}`)}</Tabs.Tab>)}</Tabs.List>
        {Object.entries(TABS).map(([tab, Panel]) => <Tabs.Panel key={tab} value={tab}><Panel /></Tabs.Panel>)}
      </Tabs>
    </Page>
  );
}
