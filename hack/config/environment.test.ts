import type * as yaml from 'yaml';

interface Environment {
  keep<T>(work: () => T): T;
  teardown(): Promise<void>;
}

const shared = globalThis as Record<string, unknown>;
const nothing = (): void => undefined;

/** Another one within that of this file: what it puts back is how things are now. */
async function environment(): Promise<Environment> {
  const { default: Environment } = (await import('./jest.environment.mjs' as string)) as { default: new (of: object) => Environment };
  return new Environment({ projectConfig: { testEnvironmentOptions: {}, fakeTimers: {} } });
}

describe('what a file of tests changes', () => {
  const { env } = process;

  it('is put back after it', async () => {
    env['TEST_CHANGED'] = 'before';
    const suite = await environment();
    shared['testAdded'] = true;
    shared['fetch'] = nothing;
    Object.assign(env, { TEST_CHANGED: 'by the file', TEST_ADDED: 'by the file' });
    process.on('SIGUSR2', nothing);
    process.exit = nothing as unknown as typeof process.exit;
    await suite.teardown();
    expect([shared['testAdded'], env['TEST_CHANGED'], env['TEST_ADDED']]).toEqual([undefined, 'before', undefined]);
    expect(fetch).not.toBe(nothing);
    expect(process.exit).not.toBe(nothing);
    expect(process.rawListeners('SIGUSR2')).toEqual([]);
  });

  it('is put back too where it is the exit code, the working directory or a listener that the file removed', async () => {
    const [folder, stop] = [process.cwd(), process.exitCode];
    process.on('SIGUSR2', nothing);
    const suite = await environment();
    process.exitCode = 3;
    process.chdir('/');
    process.removeAllListeners('SIGUSR2');
    await suite.teardown();
    const left = [process.exitCode, process.cwd(), process.rawListeners('SIGUSR2')];
    process.exitCode = stop;
    process.chdir(folder);
    process.removeListener('SIGUSR2', nothing);
    expect(left).toEqual([stop, folder, [nothing]]);
  });

  it('stays when a package did it that is loaded only once', async () => {
    const suite = await environment();
    suite.keep(() => {
      shared['testKept'] = true;
      process.on('SIGUSR2', nothing);
    });
    shared['testAdded'] = true;
    await suite.teardown();
    expect([shared['testKept'], shared['testAdded'], process.rawListeners('SIGUSR2')]).toEqual([true, undefined, [nothing]]);
  });
});

describe('a package', () => {
  it('is the one that Node has loaded, with the classes of the file', () => {
    const { parse, YAMLParseError } = require('yaml') as typeof yaml;
    expect(parse).toBe((process.getBuiltinModule('node:module').createRequire(__filename)('yaml') as { parse: unknown }).parse);
    expect(YAMLParseError.prototype).toBeInstanceOf(Error);
  });
});
