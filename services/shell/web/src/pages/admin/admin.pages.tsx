import { EmptyState, LoadingRows, Route, Routes, useTranslation } from '@satellite/web-kit';
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
import { lazy, Suspense, type ReactNode } from 'react';
import { useCan } from '../../session/me.js';
import { NotFoundPage } from '../not-found.page.js';
import { AppDetailsPage } from './app.page.js';
import { AppsPage } from './apps.page.js';
import { AuditPage } from './audit.page.js';
import { OnboardingPage } from './onboarding.page.js';
import { OrganizationsPage } from './organizations.page.js';
import { PlansPage } from './plans.page.js';
import { RolesPage } from './roles.page.js';
import { UsersPage } from './users.page.js';

// Charts weigh more than all the other pages together.
const StatsPage = lazy(() => import('./stats.page.js').then((module) => ({ default: module.StatsPage })));

/** Administration; each page says which permission it needs. */
export function AdminPages() {
  return (
    <Routes>
      <Route path="users" element={<Needs permission="users:list"><UsersPage /></Needs>} />
      <Route path="roles" element={<Needs permission="roles:list"><RolesPage /></Needs>} />
      <Route path="organizations" element={<Needs permission="organizations:list"><OrganizationsPage /></Needs>} />
      <Route path="onboarding" element={<Needs permission="onboarding:list"><OnboardingPage /></Needs>} />
      <Route path="stats" element={<Needs permission="settings:read"><Suspense fallback={<LoadingRows />}><StatsPage /></Suspense></Needs>} />
      <Route path="plans" element={<Needs permission="plans:write"><PlansPage /></Needs>} />
      <Route path="apps" element={<Needs permission="apps:list"><AppsPage /></Needs>} />
      <Route path="apps/:id" element={<Needs permission="apps:read"><AppDetailsPage /></Needs>} />
      <Route path="audit" element={<Needs permission="settings:read"><AuditPage /></Needs>} />
      <Route path="*" element={<NotFoundPage />} />
    </Routes>
  );
}

/** A link that somebody was sent may lead where they may not go: the page says what is missing. */
function Needs({ permission, children }: { readonly permission: string; readonly children: ReactNode }) {
  const { t } = useTranslation('shell');
  const can = useCan();
  if (can(permission)) return children;
  return <EmptyState isPage icon={<IconLock size={28} />} title={t('notFound.forbidden')}>{t('notFound.forbiddenText', { permission })}</EmptyState>;
}
