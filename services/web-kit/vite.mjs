// How every front-end of the platform is built: the Shell as the host, a satellite as a remote of it.
import { federation } from '@module-federation/vite';
import react from '@vitejs/plugin-react';
import { compressed } from './vite/compressed.mjs';
import { mantineOfShell, MANTINE } from './vite/mantine.mjs';
import { knowingWholeGraph } from './vite/whole-graph.mjs';

/** The Shell's copy of these is the only one in the page. */
const SHARED = ['react', 'react-dom', '@tanstack/react-query', '@satellite/web-kit', MANTINE];
const shared = (how) => Object.fromEntries(SHARED.map((name) => [name, { singleton: true, requiredVersion: false, ...how }]));

/** es2022: what every browser of the last three years runs as it is. */
const build = { target: 'es2022', outDir: 'dist', emptyOutDir: true, manifest: true, assetsInlineLimit: 0, reportCompressedSize: false, chunkSizeWarningLimit: 1200 };

/** Vite configuration of the Shell: `export default host()`. */
export const host = () => ({
  plugins: [react(), federation({ name: 'shell', remotes: {}, shared: shared({}), dts: false }), compressed()],
  html: { cspNonce: '__NONCE__' },
  build,
});

/**
 * Vite configuration of a satellite's front-end: `export default remote({ name: 'drive' })`. Exposes src/App.tsx as
 * `./App` and writes remoteEntry.js at the root of dist. What is shared is not in it: it runs in the Shell's page only.
 * @param name the satellite's slug, letters and digits; also prefixes its CSS classes
 */
export const remote = ({ name }) => ({
  base: './',
  plugins: [
    mantineOfShell(),
    react(),
    knowingWholeGraph(federation({ name, filename: 'remoteEntry.js', exposes: { './App': './src/App.tsx' }, shared: shared({ import: false }), dts: false, manifest: true })),
    compressed(),
  ],
  css: { modules: { generateScopedName: `${name}__[local]__[hash:base64:5]` } },
  build: { ...build, modulePreload: false, rolldownOptions: { input: { app: 'src/App.tsx' } } },
});
