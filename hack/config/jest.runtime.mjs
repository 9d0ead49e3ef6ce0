import { createRequire } from 'node:module';
import { sep } from 'node:path';
import { compileFunction } from 'node:vm';
import JestRuntime from 'jest-runtime';

const nodeRequire = createRequire(import.meta.url);
const PACKAGES = `${sep}node_modules${sep}`;
const loaded = new Map();

/**
 * Packages of npm are loaded by Node itself, once for each worker. Jest would evaluate them anew for every suite:
 * MikroORM, the clients of Kubernetes and S3 and the rest were a third of the time of all tests. Our own modules are
 * evaluated anew for each suite as ever, so their state is never another suite's; the state of packages is shared by
 * the suites of a worker. jest.mock of a package is seen by our modules, and not by other packages.
 */
export default class Runtime extends JestRuntime {
  constructor(...parts) {
    super(...parts);
    // The originals need the vm context that jest.environment.mjs has not.
    const { esmLoader, executor } = this;
    esmLoader.getContext = () => undefined;
    executor.compile = (code, filename) => compileFunction(code, executor.injectedModuleParameters, {
      filename,
      importModuleDynamically: (specifier, _function, attributes, phase) => executor.dynamicImport(specifier, filename, undefined, attributes, phase),
    });
  }

  requireModule(from, name, options, isActual) {
    const path = this.#packageFile(from, name, options);
    if (path === undefined) return super.requireModule(from, name, options, isActual);
    if (!loaded.has(path)) loaded.set(path, this._environment.keep(() => nodeRequire(path)));
    return loaded.get(path);
  }

  #packageFile(from, name, options) {
    if (name === undefined || options?.isInternalModule || this._resolution.isCoreModule(name)) return undefined;
    const path = this._resolution.resolveCjs(from, name);
    return path.includes(PACKAGES) ? path : undefined;
  }

  /** Nothing to replace: `process` is the real one here. */
  installGetBuiltinModule() {}
}
