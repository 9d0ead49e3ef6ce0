import { readConfig } from './env.js';

const GOOD = {
  DATABASE_URL: 'postgresql://drive@127.0.0.1/drive', APP_ENV_PUBLIC_URL: 'https://platform.test/drive/', APP_ENV_SHELL_URL: 'http://shell:3000/', APP_ENV_JWT_ISSUER: 'https://platform.test', APP_ENV_JWT_AUDIENCE: 'platform',
  APP_ENV_CLIENT_ID: 'drive-1', APP_ENV_CLIENT_SECRET: 'x'.repeat(24), APP_ENV_STORAGE_FOLDER: '/data', APP_ENV_LINK_KEYS: Buffer.alloc(32).toString('base64'),
};

describe('the configuration of Drive', () => {
  it('has defaults for everything but addresses and secrets', () => {
    expect(readConfig(GOOD)).toMatchObject({
      http: { port: 3001, publicUrl: 'https://platform.test/drive' }, shell: { url: 'http://shell:3000', slug: 'drive' }, files: { maxBytes: 104_857_600, direct: false }, links: { baseUrl: 'https://platform.test/drive' }, users: { defaultRole: 'editor' }, dataClients: [],
    });
  });

  it('is refused with every problem at once and none of the values', () => {
    const wrong = { ...GOOD, DATABASE_URL: 'mysql://secret', APP_ENV_CLIENT_SECRET: 'short-secret', APP_ENV_LINK_KEYS: `${GOOD.APP_ENV_LINK_KEYS},dG9vIHNob3J0`, APP_ENV_MAX_FILE_BYTES: '0', APP_ENV_DEFAULT_ROLE: 'root' };
    expect(() => readConfig(wrong)).toThrow(/DATABASE_URL[\s\S]*APP_ENV_CLIENT_SECRET[\s\S]*APP_ENV_LINK_KEYS[\s\S]*APP_ENV_MAX_FILE_BYTES[\s\S]*APP_ENV_DEFAULT_ROLE/);
    expect(() => readConfig(wrong)).not.toThrow(/secret:|short-secret|mysql/);
  });

  it('asks for what the chosen storage needs', () => {
    expect(() => readConfig({ ...GOOD, APP_ENV_STORAGE_FOLDER: '' })).toThrow('APP_ENV_STORAGE_FOLDER: is required with APP_ENV_STORAGE=folder');
    expect(() => readConfig({ ...GOOD, APP_ENV_STORAGE: 's3' })).toThrow(/APP_ENV_S3_ENDPOINT[\s\S]*APP_ENV_S3_BUCKET[\s\S]*APP_ENV_S3_ACCESS_KEY[\s\S]*APP_ENV_S3_SECRET_KEY/);
  });
});
