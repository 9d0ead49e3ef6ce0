import '@satellite/web-kit/styles.css';
import '@mantine/spotlight/styles.layer.css';
import './styles.css';
import { createQueryClient, KitProviders, startTranslations, BrowserRouter, addTexts } from '@satellite/web-kit';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { preferredLanguage } from './preferences.js';
import { shellTexts } from './texts/index.js';

// Browsers hide the attribute from scripts of strangers, not the property.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
if (nonce !== undefined) setNonce(nonce);

await startTranslations(preferredLanguage());
addTexts('shell', shellTexts);
document.documentElement.lang = preferredLanguage();

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <KitProviders queryClient={createQueryClient()} styleNonce={nonce}>
      <BrowserRouter>
        <App />
      </BrowserRouter>
    </KitProviders>
  </StrictMode>,
);
