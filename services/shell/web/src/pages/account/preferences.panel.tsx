import { Card, SegmentedControl, Select, Stack, useMantineColorScheme, Input } from '@mantine/core';
import { changeLanguage, currentLanguage, LANGUAGES, notifyError, useTranslation } from '@satellite/web-kit';
import { client } from '../../api/shell-api.js';
import { rememberLanguage } from '../../preferences.js';
import { useMe } from '../../session/me.js';

/** Kept in the profile, so that they follow the person to another browser. */
export function PreferencesPanel() {
  const { t } = useTranslation('shell');
  const { preferences } = useMe();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const save = (change: object): void => void client.PUT('/auth/me/preferences', { body: { ...preferences, ...change } }).catch((error: unknown) => notifyError(error));
  const setLanguage = (language: string | null): void => {
    if (language === null) return;
    rememberLanguage(language);
    void changeLanguage(language);
    save({ language });
  };
  const setTheme = (theme: string): void => {
    setColorScheme(theme as typeof colorScheme);
    save({ theme });
  };
  return (
    <Card>
      <Stack>
        <Select label={t('account.language')} data={LANGUAGES.map(({ code, name }) => ({ value: code, label: name }))} value={currentLanguage()} onChange={setLanguage} allowDeselect={false} maw={280} />
        <Input.Wrapper label={t('account.theme')}>
          <div><SegmentedControl aria-label={t('account.theme')} value={colorScheme} onChange={setTheme} data={[{ value: 'light', label: t('account.themeLight') }, { value: 'dark', label: t('account.themeDark') }, { value: 'auto', label: t('account.themeAuto') }]} /></div>
        </Input.Wrapper>
      </Stack>
    </Card>
  );
}
