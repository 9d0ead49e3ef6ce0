import { fileURLToPath } from 'node:url';

// Own TypeScript runs as CommonJS (swc), ESM-only packages come in through require(esm) of Node 24.9+:
// jest.mock hoists and no separate build is needed. Types are checked by tsc, not here.
const swc = ['@swc/jest', {
  jsc: { target: 'es2023', parser: { syntax: 'typescript', decorators: true }, transform: { legacyDecorator: true }, keepClassNames: true },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
}];

// Absolute: jest resolves a relative rootDir of a project against the working directory.
const root = fileURLToPath(new URL('../..', import.meta.url));

const project = (displayName, testMatch, extra = {}) => ({
  displayName,
  rootDir: root,
  roots: ['<rootDir>/services', '<rootDir>/operator', '<rootDir>/hack'],
  testEnvironment: '<rootDir>/hack/config/jest.environment.mjs',
  runtime: '<rootDir>/hack/config/jest.runtime.mjs',
  testMatch,
  transform: { '^.+\\.ts$': swc },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  // Never add 'import' here: pg and others break when CommonJS code gets their ESM entry.
  testEnvironmentOptions: { customExportConditions: ['development', 'node', 'node-addons'] },
  modulePathIgnorePatterns: ['/dist/'],
  ...extra,
});

export default {
  maxWorkers: 2,
  testTimeout: 60_000, // a slow machine is not a failure; what must be fast is measured in hack/bench
  projects: [
    project('unit', ['<rootDir>/services/*/src/**/*.test.ts', '<rootDir>/operator/src/**/*.test.ts', '<rootDir>/hack/**/*.test.ts'], { testPathIgnorePatterns: ['/node_modules/', '/test/cluster/'] }),
    project('api', ['<rootDir>/services/*/test/**/*.test.ts', '<rootDir>/operator/test/*.test.ts'], {
      testPathIgnorePatterns: ['/node_modules/', '/test/cluster/', '/test/browser/'],
      globalSetup: '<rootDir>/hack/config/jest.postgres-setup.mjs',
      globalTeardown: '<rootDir>/hack/config/jest.postgres-teardown.mjs',
    }),
    project('browser', ['<rootDir>/services/*/test/browser/**/*.test.ts'], {
      setupFilesAfterEnv: ['<rootDir>/services/standalone/test/browser/support/patience.ts'],
      globalSetup: '<rootDir>/hack/config/jest.browser-setup.mjs',
      globalTeardown: '<rootDir>/hack/config/jest.browser-teardown.mjs',
    }),
    project('cluster', ['<rootDir>/operator/test/cluster/**/*.test.ts', '<rootDir>/services/*/test/cluster/**/*.test.ts', '<rootDir>/hack/charts/test/cluster/**/*.test.ts'], {
      globalSetup: '<rootDir>/hack/config/jest.cluster-setup.mjs',
      globalTeardown: '<rootDir>/hack/config/jest.cluster-teardown.mjs',
    }),
  ],
};
