import { Button } from '@mantine/core';
import IconMapQuestion from '@tabler/icons-react/dist/esm/icons/IconMapQuestion.mjs';
import { EmptyState, Link, useTranslation } from '@satellite/web-kit';

/** An address that leads nowhere. */
export function NotFoundPage() {
  const { t } = useTranslation('shell');
  return <EmptyState isPage icon={<IconMapQuestion size={28} />} title={t('notFound.title')} action={<Button component={Link} to="/" variant="default">{t('notFound.home')}</Button>}>{t('notFound.text')}</EmptyState>;
}
