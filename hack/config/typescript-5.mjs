// Loaded before the linters: wherever npm has put them and their helpers, `typescript` is the version of this
// workspace. They need its compiler API, which TypeScript 7 (the compiler of everything else) does not have.
import { createRequire, registerHooks } from 'node:module';

const require = createRequire(import.meta.url);
/** Looked up before the hook exists, which sees these look-ups too. */
const own = new Map(['typescript', 'typescript/package.json'].map((name) => [name, require.resolve(name)]));

registerHooks({ resolve: (specifier, context, next) => next(own.get(specifier) ?? specifier, context) });
