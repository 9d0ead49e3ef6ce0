import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

// Where expect keeps its matchers; it makes what is not there, in a way that could not be undone.
const MATCHERS = Symbol.for('$$jest-matchers-object');

/**
 * Suites run in the realm of their worker and not, as with jest-environment-node, in a vm context each. There every
 * global is looked up through a proxy, and the classes of packages that jest.runtime.mjs keeps for the worker
 * (Error, Uint8Array) would be others than the suite's. What a suite changes of the globals, `process`, the
 * environment variables, the working directory and the listeners of the process is put back after it. What it does to built-in objects
 * themselves (`Array.prototype.last = …`) is not: undo that in the test, or use jest.spyOn, which is undone.
 */
export default class Environment {
  global = globalThis;
  fakeTimers = null; // the legacy ones
  #conditions;
  #worker = new Surroundings();

  constructor({ projectConfig }) {
    this.#conditions = projectConfig.testEnvironmentOptions.customExportConditions;
    const state = { assertionCalls: 0, expectedAssertionsNumber: null, isExpectingAssertions: false, numPassingAsserts: 0, suppressedErrors: [] };
    Object.defineProperty(globalThis, MATCHERS, { configurable: true, value: { customEqualityTesters: [], matchers: Object.create(null), state } });
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  /** What this changes is the worker's and stays: a package is loaded once and will not do it again. */
  keep(work) {
    const before = new Surroundings();
    try {
      return work();
    } finally {
      this.#worker.adopt(before, new Surroundings());
    }
  }

  exportConditions() {
    return this.#conditions;
  }

  getVmContext() {
    return null; // jest.runtime.mjs compiles without
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.#worker.restore();
  }
}

/** What a suite shares with the next one of its worker. */
class Surroundings {
  #objects = [globalThis, process, process.env].map((object) => ({ object, properties: propertiesOf(object) }));
  #exitCode = process.exitCode; // behind accessors of `process`
  #folder = process.cwd();
  #listeners = new Map(process.eventNames().map((event) => [event, process.rawListeners(event)]));

  adopt(before, after) {
    for (const [index, { properties }] of this.#objects.entries()) {
      const old = before.#objects[index].properties;
      for (const [key, property] of after.#objects[index].properties) if (!same(property, old.get(key))) properties.set(key, property);
    }
    for (const [event, listeners] of after.#listeners) {
      const added = listeners.filter((listener) => !before.#listeners.get(event)?.includes(listener));
      this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), ...added]);
    }
  }

  restore() {
    for (const { object, properties } of this.#objects) {
      for (const [key, { configurable }] of propertiesOf(object)) if (configurable && !properties.has(key)) delete object[key];
      for (const [key, property] of properties) if (!same(property, Object.getOwnPropertyDescriptor(object, key))) Object.defineProperty(object, key, property);
    }
    process.exitCode = this.#exitCode;
    process.chdir(this.#folder);
    this.#restoreListeners();
  }

  #restoreListeners() {
    for (const [event, listeners] of this.#listeners) {
      const left = new Set(process.rawListeners(event));
      // One with a listener in it was for once: it may be gone because it was called.
      for (const listener of listeners) if (!left.has(listener) && listener.listener === undefined) process.on(event, listener);
    }
    for (const event of process.eventNames()) {
      if (event === 'exit') continue; // those stop what a failed suite left running
      for (const listener of process.rawListeners(event)) if (!this.#listeners.get(event)?.includes(listener)) process.removeListener(event, listener);
    }
  }
}

function propertiesOf(object) {
  return new Map(Reflect.ownKeys(object).map((key) => [key, Object.getOwnPropertyDescriptor(object, key)]));
}

/** As for what is read; a lazy global of Node that was read has other accessors, or becomes a value. */
function same(one, other) {
  return one?.value === other?.value && one?.get === other?.get;
}
