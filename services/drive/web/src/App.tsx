import '@mantine/dropzone/styles.layer.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { addTexts, EmptyState, Link, Route, Routes, useTranslation, type RemoteProps } from '@satellite/web-kit';
import { Button } from '@mantine/core';
import IconFolderQuestion from '@tabler/icons-react/dist/esm/icons/IconFolderQuestion.mjs';
import { DriveContext, driveAt } from './api/drive.js';
import { FilesPage } from './files/files.page.js';
import { PeoplePage } from './people/people.page.js';
import { driveTexts } from './texts/index.js';

addTexts('drive', driveTexts);

/** Drive, below the address that the Shell gives it. */
export default function App({ app, basePath, shell }: RemoteProps) {
  const drive = driveAt(app.apiUrl, shell.user.id);
  return (
    <DriveContext value={{ ...drive, basePath }}>
      <QueryClientProvider client={drive.queryClient}>
        <Routes>
          <Route path="/" element={<FilesPage />} />
          <Route path="folders/*" element={<FilesPage />} />
          <Route path="people" element={<PeoplePage />} />
          <Route path="*" element={<Nowhere home={basePath} />} />
        </Routes>
      </QueryClientProvider>
    </DriveContext>
  );
}

function Nowhere({ home }: { readonly home: string }) {
  const { t } = useTranslation('drive');
  return <EmptyState isPage icon={<IconFolderQuestion size={28} />} title={t('nowhere')} action={<Button component={Link} to={home}>{t('toFiles')}</Button>}>{t('nowhereText')}</EmptyState>;
}
