import { Center, Loader } from '@mantine/core';
import { ErrorState, Navigate, Page, Route, Routes, useLocation } from '@satellite/web-kit';
import { lazy, Suspense, useSyncExternalStore } from 'react';
import { hooks } from './api/shell-api.js';
import { SignedInLayout } from './layout/signed-in-layout.js';
import { SignInPage } from './pages/auth/sign-in.page.js';
import { LaunchpadPage } from './pages/launchpad.page.js';
import { MeProvider } from './session/me.js';
import { session } from './session/session.js';

const RegisterPage = lazy(() => import('./pages/auth/register.page.js').then((module) => ({ default: module.RegisterPage })));
const ForgotPasswordPage = lazy(() => import('./pages/auth/forgot-password.page.js').then((module) => ({ default: module.ForgotPasswordPage })));
const ResetPasswordPage = lazy(() => import('./pages/auth/reset-password.page.js').then((module) => ({ default: module.ResetPasswordPage })));
const CompleteSignInPage = lazy(() => import('./pages/auth/complete-sign-in.page.js').then((module) => ({ default: module.CompleteSignInPage })));
const AccountPage = lazy(() => import('./pages/account/account.page.js').then((module) => ({ default: module.AccountPage })));
const BillingPage = lazy(() => import('./pages/billing/billing.page.js').then((module) => ({ default: module.BillingPage })));
const AdminPages = lazy(() => import('./pages/admin/admin.pages.js').then((module) => ({ default: module.AdminPages })));
const AppPage = lazy(() => import('./apps/app.page.js').then((module) => ({ default: module.AppPage })));
const NotFoundPage = lazy(() => import('./pages/not-found.page.js').then((module) => ({ default: module.NotFoundPage })));

/** Every address of the Shell. */
export function App() {
  return (
    <Suspense fallback={<Waiting />}>
      <Routes>
        <Route path="/sign-in" element={<SignInPage />} />
        <Route path="/sign-in/complete" element={<CompleteSignInPage />} />
        <Route path="/register" element={<RegisterPage />} />
        <Route path="/forgot-password" element={<ForgotPasswordPage />} />
        <Route path="/reset-password" element={<ResetPasswordPage />} />
        <Route path="/*" element={<SignedIn />} />
      </Routes>
    </Suspense>
  );
}

function SignedIn() {
  const { pathname, search } = useLocation();
  const isSignedIn = useSyncExternalStore(session.subscribe, session.isSignedIn);
  // A deep link lands where it pointed, after the sign-in.
  if (!isSignedIn) return <Navigate to={pathname === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(pathname + search)}`} replace />;
  return <WithProfile />;
}

function WithProfile() {
  // Permissions change while people are signed in: pages come and go with them.
  const me = hooks.useQuery('get', '/auth/me', {}, { staleTime: 0, refetchInterval: 30_000 });
  if (!me.data) return me.error ? <Page narrow><ErrorState error={me.error} onRetry={() => void me.refetch()} /></Page> : <Waiting />;
  return (
    <MeProvider profile={me.data.data}>
      <SignedInLayout>
        <Suspense fallback={<Waiting />}>
          <Routes>
            <Route path="/" element={<LaunchpadPage />} />
            <Route path="/account/*" element={<AccountPage />} />
            <Route path="/settings/billing" element={<BillingPage />} />
            <Route path="/admin/*" element={<AdminPages />} />
            <Route path="/apps/:slug/*" element={<AppPage />} />
            <Route path="*" element={<NotFoundPage />} />
          </Routes>
        </Suspense>
      </SignedInLayout>
    </MeProvider>
  );
}

function Waiting() {
  return <Center mih={240}><Loader type="dots" aria-label="…" /></Center>;
}
