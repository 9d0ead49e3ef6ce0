// How every front-end of the platform is built: the Shell as the host, a satellite as a remote of it.
import { federation } from '@module-federation/vite';
import react from '@vitejs/plugin-react';

const one = (requiredVersion) => ({ singleton: true, requiredVersion });

/** What host and remotes use one copy of. A remote brings its own copy too, and uses it only in a host without one. */
const shared = {
  react: one('^19.0.0'),
  'react-dom': one('^19.0.0'),
  '@mantine/core': one('^9.0.0'),
  '@mantine/hooks': one('^9.0.0'),
  '@mantine/notifications': one('^9.0.0'),
  '@tanstack/react-query': one('^5.0.0'),
  'react-i18next': one('^18.0.0'),
  '@satellite/web-kit': one(false),
};

/** es2022: what every browser of the last three years runs as it is. */
const TARGET = 'es2022';

/** Vite configuration of the Shell: `export default host()`. */
export const host = () => ({
  plugins: [react(), federation({ name: 'shell', remotes: {}, shared, dts: false })],
  html: { cspNonce: '__NONCE__' },
  build: { target: TARGET, outDir: 'dist', emptyOutDir: true, assetsInlineLimit: 0, reportCompressedSize: false, chunkSizeWarningLimit: 1200 },
});

/**
 * Vite configuration of a satellite's front-end: `export default remote({ name: 'drive' })`. Exposes src/App.tsx as
 * `./App` and writes remoteEntry.js at the root of dist.
 * @param name the satellite's slug, letters and digits; also prefixes its CSS classes
 */
export const remote = ({ name }) => ({
  base: './',
  plugins: [react(), federation({ name, filename: 'remoteEntry.js', exposes: { './App': './src/App.tsx' }, shared, dts: false, manifest: true })],
  css: { modules: { generateScopedName: `${name}__[local]__[hash:base64:5]` } },
  build: { target: TARGET, outDir: 'dist', emptyOutDir: true, modulePreload: false, assetsInlineLimit: 0, reportCompressedSize: false, chunkSizeWarningLimit: 1200, rolldownOptions: { input: { app: 'src/App.tsx' } } },
});
