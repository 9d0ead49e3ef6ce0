import { readOperatorEnvironment } from './env.js';

const GOOD = { OPERATOR_SHELL_URL: 'http://shell:8080', OPERATOR_PLATFORM_URL: 'https://platform.example.org', OPERATOR_CLIENT_SECRET: 'secret' };

describe('the operator environment', () => {
  it('has defaults for everything but addresses and secrets', () => {
    expect(readOperatorEnvironment(GOOD)).toMatchObject({ clientId: 'operator', source: { kind: 'kubernetes' }, lease: { name: 'satellite-operator' }, workers: 16, health: { host: '127.0.0.1', port: 8081 } });
  });

  it('lists every problem at once and repeats no secret', () => {
    const read = () => readOperatorEnvironment({ OPERATOR_SHELL_URL: 'ftp://x', OPERATOR_CLIENT_SECRET: '', OPERATOR_WORKERS: '0', OPERATOR_SOURCE: 'directory' });
    for (const name of ['OPERATOR_SHELL_URL', 'OPERATOR_PLATFORM_URL', 'OPERATOR_CLIENT_SECRET', 'OPERATOR_WORKERS']) expect(read).toThrow(name);
  });

  it('needs a folder for the directory source, and no election', () => {
    expect(() => readOperatorEnvironment({ ...GOOD, OPERATOR_SOURCE: 'directory' })).toThrow('OPERATOR_DIRECTORY');
    expect(readOperatorEnvironment({ ...GOOD, OPERATOR_SOURCE: 'directory', OPERATOR_DIRECTORY: 'apps' })).toMatchObject({ source: { kind: 'directory', directory: 'apps' }, lease: undefined });
  });
});
