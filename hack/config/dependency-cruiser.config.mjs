// Who may import whom: the one written truth. Every rule is an error; boundaries.test.ts proves that each
// one fires on a seeded violation.
const TEST_CODE = '(\\.test\\.ts$|/test/|^services/kit/src/testing/|^hack/)';
const GENERATED = '(/generated/|^proto/gen/)';

/** Places in a service and the kit that may know the ORM. */
const ORM_PLACES = ['^services/kit/src/(db|testing)/', '^services/[^/]+/migrations/', '\\.(entity|repository)\\.ts$', '/orm\\.ts$', TEST_CODE];
/** Places that may know Express: what is mounted, controllers, and helpers that say so by their name (`*.http.ts`). Generated routes are written for it. */
const EXPRESS_PLACES = ['^services/kit/src/http/', '\\.(controller|http)\\.ts$', '/(app|shell|container|ioc|authentication|express\\.d)\\.ts$', '^services/[^/]+/src/modules/gateway/', '^services/standalone/', '^hack/bench/', GENERATED, TEST_CODE];

const error = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

export default {
  forbidden: [
    error('module-front-door', 'Another module is entered by its index.ts only.',
      { path: '^services/([^/]+)/src/modules/([^/]+)/' },
      { path: '^services/$1/src/modules/', pathNot: ['^services/$1/src/modules/$2/', '/index\\.ts$'] }),
    error('no-service-to-service', 'Services talk over REST or Connect; what they share is in the kit. Standalone and bench start them all; tests of a satellite run against the real Shell.',
      { path: '^services/([^/]+)/', pathNot: ['^services/(standalone|kit)/', '^services/[^/]+/test/'] },
      { path: '^services/', pathNot: ['^services/$1/', '^services/(kit|web-kit)/'] }),
    error('controller-sees-no-store', 'Controllers know HTTP and a service, not tables.',
      { path: '\\.controller\\.ts$' },
      { path: '\\.(repository|entity)\\.ts$' }),
    error('operator-is-alone', 'The operator knows the Shell by its RPC contract only.',
      { path: '^operator/', pathNot: TEST_CODE },
      { path: '^services/(?!kit/)' }),
    error('operator-kit-parts', 'The operator has no database, no cache and no HTTP API.',
      { path: '^operator/', pathNot: TEST_CODE },
      { path: '^services/kit/src/', pathNot: '^services/kit/src/(core|config|telemetry|outbound|auth)/' }),
    error('kit-serves-all', 'The kit knows no service and no operator.',
      { path: '^services/kit/', pathNot: TEST_CODE },
      { path: '^(services/(?!kit/)|operator/|hack/)' }),
    error('no-cycles', 'A cycle has no first line to read.',
      { pathNot: GENERATED },
      { circular: true }),
    error('orm-behind-repositories', 'Only entities, repositories and kit/db touch the ORM.',
      { path: '^(operator|services|hack)/', pathNot: ORM_PLACES },
      { path: '(^|node_modules/)@mikro-orm/' }),
    error('express-at-the-edge', 'Only controllers, what mounts them and *.http.ts know Express.',
      { path: '^(operator|services|hack)/', pathNot: EXPRESS_PLACES },
      { path: '(^|node_modules/)(@types/)?express(/|$)' }),
    error('kubernetes-in-the-operator', 'Only the operator talks to Kubernetes.',
      { path: '^(services|hack)/', pathNot: TEST_CODE },
      { path: '(^|node_modules/)@kubernetes/client-node' }),
    error('no-test-code-in-production', 'Test code and test tools stay in tests.',
      { path: '^(operator|services)/', pathNot: TEST_CODE },
      { path: ['\\.test\\.ts$', '/test/', '^services/kit/src/testing/', '(^|node_modules/)(jest|supertest|@jest)(/|$)'], pathNot: '/node_modules/[^@][^/]*/test/' }),
    error('embedded-only-standalone', 'Embedded parts are for standalone and tests; production gets URLs.',
      { path: '^(operator|services)/', pathNot: ['^services/kit/src/embedded/', '^services/standalone/', TEST_CODE] },
      { path: '^services/kit/src/embedded/' }),
    error('web-stays-in-the-browser', 'A front-end never reaches into server code.',
      { path: '^services/[^/]+/web/' },
      { path: '^services/[^/]+/src/', pathNot: '^services/web-kit/' }),
    error('resolvable', 'An import that cannot be followed is checked by no rule.',
      { path: '^(operator|services|hack)/' },
      // Types of an API are a file of declarations, which only the compiler finds.
      { couldNotResolve: true, pathNot: '/generated/schema\\.js$' }),
    error('declared-dependencies', 'What is imported is declared in a package.json.',
      { path: '^(operator|services)/', pathNot: TEST_CODE },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Only our own build results: the same word occurs in the paths of packages, which rules must see.
    exclude: { path: '^(operator|proto|hack/bench|services/[^/]+(/web)?)/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'hack/config/tsconfig.check.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['development', 'import', 'node', 'default', 'types'], extensions: ['.ts', '.tsx', '.d.ts', '.mjs', '.js', '.json', '.css'] },
    parser: 'tsc',
  },
};
