import { Anchor, Center, Loader } from '@mantine/core';
import { ErrorState, Link, useNavigate, useSearchParams, useTranslation } from '@satellite/web-kit';
import { useEffect, useState } from 'react';
import { AuthLayout } from '../../layout/auth-layout.js';
import { session } from '../../session/session.js';
import { targetOf } from './target.js';

let completing: Promise<void> | undefined;

/** Back from a provider: the cookie it left becomes a session. */
export function CompleteSignInPage() {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const [problem, setProblem] = useState<unknown>();
  const target = targetOf(search);
  useEffect(() => {
    completing ??= session.beginByCookie(); // once, also when React runs effects twice
    completing.then(() => navigate(target, { replace: true }), setProblem);
  }, [navigate, target]);
  return (
    <AuthLayout title={t('auth.finishing')} footer={<Anchor component={Link} to="/sign-in">{t('auth.backToSignIn')}</Anchor>}>
      {problem === undefined ? <Center mih={80}><Loader type="dots" /></Center> : <ErrorState error={problem} />}
    </AuthLayout>
  );
}
