import { useTranslation } from '@satellite/web-kit';

/** Checks of the fields that several pages ask for; the server checks again and says more. */
export function useFieldChecks(): Readonly<Record<'required' | 'email' | 'password', (value: string) => string | null>> {
  const { t } = useTranslation('shell');
  return {
    required: (value) => (value.trim() === '' ? t('auth.required') : null),
    email: (value) => (/^\S+@\S+\.\S+$/.test(value) ? null : t('auth.badEmail')),
    password: (value) => (value.length < 8 ? t('auth.tooShort') : null),
  };
}
