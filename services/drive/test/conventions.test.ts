import { readFileSync } from 'node:fs';
import { operationsOf } from '@satellite/kit/testing';
import { describeApi, rawOpenApi } from '../src/openapi.js';
import { DRIVE_PERMISSIONS } from '../src/permissions.js';
import { useDrive } from './support/drive.js';

const drive = useDrive();

/** Section 4.13 of the interface, line by line. */
const INTERFACE = [
  'POST /auth/exchange', 'POST /files/upload', 'GET /files', 'GET /files/{id}/download', 'DELETE /files/{id}', 'GET /folders', 'POST /folders', 'PATCH /folders/{id}', 'DELETE /folders/{id}',
  'POST /files/{id}/share', 'GET /files/{id}/share', 'DELETE /files/{id}/share/{linkId}', 'GET /public/files/{token}',
  'GET /users', 'POST /users', 'GET /users/{id}', 'PUT /users/{id}', 'POST /users/{id}/roles', 'DELETE /users/{id}/roles/{roleId}', 'GET /users/roles',
];

/** Operations that the interface does not have, and why they are there. */
const BESIDE: Readonly<Record<string, string>> = {
  'GET /files/{id}': 'what is known of one file', 'PATCH /files/{id}': 'rename and move', 'GET /public/files/{token}/info': 'what the page of a link shows', 'GET /storage': 'how much is stored',
  'GET /audit': 'who touched what', 'GET /health': 'for probes', 'GET /doc/openapi.json': 'for developers',
};

const operations = Object.entries(rawOpenApi.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })));

describe('conventions', () => {
  it('has every operation of the interface, and beside them only the listed ones', () => {
    expect(INTERFACE).toHaveLength(20);
    expect(operationsOf(rawOpenApi).map(({ name }) => name).sort()).toEqual([...INTERFACE, ...Object.keys(BESIDE)].sort());
  });

  it.each(operations)('$name says who may call it', ({ operation }) => {
    expect(operation.security).toBeDefined();
    for (const requirement of operation.security ?? []) for (const permission of Object.values(requirement).flat()) expect(DRIVE_PERMISSIONS).toContain(permission);
  });

  it.each(operations)('$name has a summary and describes every answer', ({ operation }) => {
    expect(operation.description ?? operation.summary ?? '').not.toBe('');
    for (const response of Object.values(operation.responses)) expect(response.description).not.toBe('');
  });

  it('has the description that is committed, and serves it', async () => {
    const committed: unknown = JSON.parse(readFileSync('services/drive/openapi.json', 'utf8'));
    expect(describeApi()).toEqual(committed);
    expect((await drive().as().get('/api/doc/openapi.json').expect(200)).body).toEqual(committed);
  });

  it('describes the upload as what it is', () => {
    expect(describeApi().paths['/files/upload']?.['post']?.requestBody?.content['multipart/form-data']?.schema?.properties).toMatchObject({ file: { format: 'binary' }, folderId: { format: 'uuid' } });
  });

  it('has a migration for every entity', async () => {
    const difference = await drive().drive.container.db.schemaDifference();
    expect(difference.split('\n').filter((line) => /add column|drop column|alter column|create table/.test(line) && !line.includes('drop default'))).toEqual([]);
  });

  it('keeps an organization in every table, or says why not', async () => {
    const WITHOUT = new Map([['scheduled_jobs', 'of the service'], ['scanned_objects', 'keys of a running scan'], ['migrations', 'of the schema']]);
    const tables = await drive().query<{ name: string; owned: boolean }>(`
      select t.table_name as name, exists (select from information_schema.columns c where c.table_schema = 'public' and c.table_name = t.table_name and c.column_name = 'organization_id') as owned
      from information_schema.tables t where t.table_schema = 'public' and t.table_type = 'BASE TABLE'`);
    expect(tables.filter(({ name, owned }) => !owned && !WITHOUT.has(name))).toEqual([]);
  });

  it('answers below the path of its public address too, with the same refusals', async () => {
    expect((await drive().as().get('/drive/api/health').expect(200)).body).toMatchObject({ status: 'UP', version: expect.any(String), database: 'UP', objectStorage: 'UP', keyValueStore: 'UP' });
    await drive().as().get('/drive/livez').expect(200);
    await drive().as().get('/drive/readyz').expect(200);
    await drive().as().get('/drive/api/files').expect(401);
    await drive().as().get('/drive/api/nothing').expect(404);
    await drive().as().put('/drive/api/folders').send({}).expect(405).expect('allow', 'GET, POST');
    await drive().as().get('/drivel/api/health').expect(404);
    expect((await drive().as().get('/metrics').expect(200)).text).toContain('drive_missing_objects');
  });

  it('keeps its figures from whoever comes through an ingress', async () => {
    await drive().as().get('/drive/metrics').set('x-forwarded-for', '198.51.100.7').expect(404);
    await drive().as().get('/metrics').set('x-forwarded-for', '198.51.100.7').expect(404);
  });

  it('refuses parameters that nobody knows and bodies that are no JSON', async () => {
    const ann = await drive().owner();
    await drive().as(ann.driveToken).get('/api/files?folder=x').expect(400);
    await drive().as(ann.driveToken).get('/api/files?q=ab&q=cd').expect(400);
    await drive().as(ann.driveToken).post('/api/folders').type('form').send('name=x').expect(415);
    await drive().as(ann.driveToken).post('/api/folders').send({ name: 'x', owner: 'me' }).expect(400);
    await drive().as(ann.driveToken).post('/api/files/upload').send({ file: 'x' }).expect(415);
  });
});
