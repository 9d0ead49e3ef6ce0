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

  it('is for one shard with a selector: then the lease has a name of its own, and a folder is refused', () => {
    const shard = { ...GOOD, OPERATOR_WATCH_LABEL_SELECTOR: 'platform.satellite.io/shard=a' };
    expect(() => readOperatorEnvironment(shard)).toThrow('OPERATOR_LEASE_NAME: must be set, and be another one for each shard');
    expect(() => readOperatorEnvironment({ ...shard, OPERATOR_SOURCE: 'directory', OPERATOR_DIRECTORY: 'apps', OPERATOR_LEASE_NAME: 'a' })).toThrow('OPERATOR_WATCH_LABEL_SELECTOR: is for OPERATOR_SOURCE kubernetes');
    expect(readOperatorEnvironment({ ...shard, OPERATOR_LEASE_NAME: 'shard-a' })).toMatchObject({ source: { labelSelector: 'platform.satellite.io/shard=a' }, lease: { name: 'shard-a' } });
    expect(readOperatorEnvironment({ ...shard, OPERATOR_LEADER_ELECTION: 'false' }).lease).toBeUndefined();
  });
});
