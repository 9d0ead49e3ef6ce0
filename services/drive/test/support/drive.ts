import { mkdtemp, rm } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, type Logger } from '@satellite/kit/telemetry';
import { cloneDatabase, createTestRedis, TestHttp, type Requests, type TestDatabase } from '@satellite/kit/testing';
import { personIn, type Person } from '../../../shell/test/support/people.js';
import { TestShell } from '../../../shell/test/support/shell.js';
import { createDrive, openDatabase, readConfig, type Drive } from '../../src/index.js';

export type Environment = Readonly<Record<string, string>>;
export const STORAGE_KEY = 'drive.storage_bytes';

/** Drive in the Shell's registry, with a client of its own. */
async function registerDrive(shell: TestShell): Promise<{ clientId: string; clientSecret: string; appId: string }> {
  const admin = await (await shell.organization()).member(['apps:write']);
  const app = { slug: 'drive', name: 'Drive', type: 'satellite', apiUrl: '/drive/api', permissions: [{ code: 'drive.files:read' }, { code: 'drive.files:write' }], limitKeys: [{ key: STORAGE_KEY }], organizations: { all: true, slugs: [] } };
  const { id } = (await shell.as(admin).post('/api/admin/apps').send(app).expect(201)).body.data;
  return { appId: id, ...(await shell.as(admin).post(`/api/admin/apps/${id}/clients`).expect(201)).body.data };
}

/** Somebody in Drive. */
export interface DrivePerson extends Person {
  /** For Drive. */
  readonly driveToken: string;
}

/** A Drive that listens, with its own database, cache and folder, beside a real Shell. */
export class TestDrive {
  private constructor(
    readonly shell: TestShell,
    readonly drive: Drive,
    readonly database: TestDatabase,
    readonly folder: string,
    readonly environment: Environment,
    /** In the Shell's registry. */
    readonly appId: string,
    private readonly http: TestHttp,
    private readonly others: TestDrive[] = [],
  ) {}

  static async start(extra: Environment = {}, logger?: Logger): Promise<TestDrive> {
    const shell = await TestShell.start();
    const { appId, ...client } = await registerDrive(shell);
    const database = await cloneDatabase({
      name: 'drive',
      migrate: async (url) => {
        const db = openDatabase(url);
        await db.migrate();
        await db.close();
      },
    });
    const folder = await mkdtemp(join(tmpdir(), 'satellite-drive-'));
    const environment = {
      DATABASE_URL: database.url,
      APP_ENV_PUBLIC_URL: 'http://platform.test/drive',
      APP_ENV_SHELL_URL: shell.url,
      APP_ENV_JWT_ISSUER: 'http://platform.test',
      APP_ENV_JWT_AUDIENCE: 'platform',
      APP_ENV_CLIENT_ID: client.clientId,
      APP_ENV_CLIENT_SECRET: client.clientSecret,
      APP_ENV_STORAGE_FOLDER: folder,
      APP_ENV_LINK_KEYS: Buffer.alloc(32, 9).toString('base64'),
      APP_ENV_MAX_FILE_BYTES: String(1024 * 1024), // the tests of the limit need not send a hundred times as much
      APP_ENV_LIMIT_EXCHANGE_PER_MINUTE: '100000',
      APP_ENV_SHELL_TIMEOUT_MS: '30000', // what is slow in the tests is the machine
      ...extra,
    };
    return TestDrive.on(shell, database, folder, environment, appId, logger);
  }

  private static async on(shell: TestShell, database: TestDatabase, folder: string, environment: Environment, appId: string, logger?: Logger): Promise<TestDrive> {
    const drive = await createDrive(readConfig(environment), { redis: await createTestRedis(), logger: logger ?? createLogger({ service: 'drive', level: 'silent' }), processMetrics: false });
    return new TestDrive(shell, drive, database, folder, environment, appId, await TestHttp.listen(drive.app));
  }

  /** Another process's worth of Drive on the same database, folder and Shell. */
  async second(extra: Environment = {}): Promise<TestDrive> {
    const other = await TestDrive.on(this.shell, this.database, this.folder, { ...this.environment, ...extra }, this.appId);
    this.others.push(other);
    return other;
  }

  get url(): string {
    return this.http.url;
  }

  get port(): number {
    return this.http.port;
  }

  /** Requests as this bearer, or as nobody. */
  as(token?: string): Requests {
    return this.http.as(token);
  }

  query<Row extends object>(sql: string, params: readonly unknown[] = []): Promise<Row[]> {
    return this.drive.container.db.query<Row>(sql, params);
  }

  /** A person of a new organization who administers its Drive. */
  async owner(): Promise<DrivePerson> {
    return this.arrive(await personIn(this.shell, (await this.shell.organization()).id, { systemRole: 'ADMIN' }));
  }

  /** A person in the same organization, with this role of Drive. */
  async colleague(of: DrivePerson, role: 'admin' | 'editor' | 'viewer' = 'editor'): Promise<DrivePerson> {
    const person = await this.arrive(await personIn(this.shell, of.organizationId));
    if (role !== 'editor') await this.query('update user_roles set role_id = ? where user_id = ?', [role, person.id]);
    return person;
  }

  /** Exchanges the person's token. */
  async arrive(person: Person): Promise<DrivePerson> {
    const { body } = await this.as().post('/api/auth/exchange').send({ token: person.token }).expect(200);
    return { ...person, driveToken: body.access_token };
  }

  /** Uploads a file; answers its view. */
  async upload(person: DrivePerson, name = `${randomUUID()}.txt`, content: Buffer | string = 'hello', folderId?: string) {
    const sent = this.as(person.driveToken).post('/api/files/upload');
    if (folderId !== undefined) void sent.field('folderId', folderId);
    return (await sent.attach('file', Buffer.from(content), name).expect(201)).body.data as { id: string; name: string; size: number; checksum: string; contentType: string; folderId: string | null; createdBy: string; version: number };
  }

  /** Makes a folder; answers its view. */
  async makeFolder(person: DrivePerson, name: string = randomUUID(), parentId?: string) {
    return (await this.as(person.driveToken).post('/api/folders').send({ name, parentId }).expect(201)).body.data as { id: string; name: string; parentId: string | null; createdBy: string };
  }

  /** Keys in the store, sorted. */
  async objects(): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of this.drive.container.store.list()) keys.push(key);
    return keys.sort();
  }

  async stop(): Promise<void> {
    for (const other of this.others) await other.stopOne();
    await this.stopOne();
    await this.shell.stop();
    await this.database.drop();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async stopOne(): Promise<void> {
    await this.http.close();
    await this.drive.close();
    this.drive.container.redis.disconnect();
  }
}

/** Starts a Drive and its Shell before the tests of a file and stops them after it. */
export function useDrive(extra: Environment = {}): () => TestDrive {
  let drive: TestDrive | undefined;
  beforeAll(async () => {
    drive = await TestDrive.start(extra);
  });
  afterAll(async () => {
    await drive?.stop();
  });
  return () => {
    if (!drive) throw new Error('the Drive is there from beforeAll on');
    return drive;
  };
}
