// What an editor should show while one types. Who may import whom is in dependency-cruiser.config.mjs and only there.
import { fileURLToPath } from 'node:url';
import tseslint from 'typescript-eslint';
import { ours } from './eslint-rules.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const TESTS = ['**/*.test.ts', '**/test/**/*.ts', '**/testing/**/*.ts', 'hack/**'];
/** Places that tools require to export by default. */
const DEFAULT_EXPORTS = ['**/*.config.mjs', '**/vite.config.ts', 'services/*/web/src/App.tsx', 'services/*/src/types.d.ts', 'hack/config/jest.*.mjs'];
/** What runs in a browser; its types are checked by another configuration. */
const WEB = ['services/web-kit/src/**/*.{ts,tsx}', 'services/*/web/src/**/*.{ts,tsx}'];
/** What drives a browser, or tests what runs in one. */
const BROWSER_TESTS = ['services/*/test/browser/**/*.ts', 'services/web-kit/src/**/*.test.ts'];

const noDefaultExport = { selector: 'ExportDefaultDeclaration', message: 'Export by name: a name is found by search and renamed safely.' };
const noFocusedTests = ['only', 'skip', 'todo', 'failing'].map((name) => ({
  selector: `MemberExpression[object.name=/^(it|test|describe)$/][property.name='${name}']`,
  message: 'A test that does not run proves nothing: repair or delete it.',
}));

export default tseslint.config(
  { ignores: ['**/dist/', '**/generated/', 'proto/gen/', '**/node_modules/', '.tools/', '.cache/', '.data/', 'charts/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{ts,tsx,mjs,js}'],
    plugins: { ours },
    rules: {
      'ours/disable-with-reason': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-var': 'error',
      'prefer-const': 'error',
      'no-control-regex': 'error',
      'no-self-compare': 'error',
      'no-template-curly-in-string': 'error',
      'no-unsafe-finally': 'error',
      'no-unreachable': 'error',
      'no-restricted-syntax': ['error', noDefaultExport],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
    },
  },
  { files: WEB, ignores: BROWSER_TESTS, languageOptions: { parser: tseslint.parser, parserOptions: { project: 'hack/config/tsconfig.web.json', tsconfigRootDir: root } } },
  { files: BROWSER_TESTS, languageOptions: { parser: tseslint.parser, parserOptions: { project: 'hack/config/tsconfig.browser.json', tsconfigRootDir: root } } },
  { files: ['**/*.ts'], ignores: [...WEB, ...BROWSER_TESTS, '**/vite.config.ts'], languageOptions: { parser: tseslint.parser, parserOptions: { project: 'hack/config/tsconfig.check.json', tsconfigRootDir: root } } },
  { files: ['**/vite.config.ts'], languageOptions: { parser: tseslint.parser } },
  {
    files: ['**/*.{ts,tsx}'],
    ignores: ['**/vite.config.ts'],
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_', caughtErrors: 'none' }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
      'no-restricted-properties': ['error', { object: 'process', property: 'env', message: 'Only env.ts reads the environment; take a configuration instead.' }],
    },
  },
  { files: ['**/env.ts', ...TESTS], rules: { 'no-restricted-properties': 'off' } },
  // A test is a list of cases: its describe is as long as the list. Files still end somewhere.
  { files: TESTS, rules: { 'max-lines-per-function': 'off', 'max-lines': ['error', { max: 500, skipBlankLines: true, skipComments: true }] } },
  // A migration is one list of statements.
  { files: ['services/*/migrations/**'], rules: { 'max-lines-per-function': 'off' } },
  { files: ['**/*.test.ts'], rules: { 'no-restricted-syntax': ['error', noDefaultExport, ...noFocusedTests] } },
  { files: DEFAULT_EXPORTS, rules: { 'no-restricted-syntax': 'off' } },
);
