import { ADMIN, useShell } from './support/shell.js';

describe('envelope A', () => {
  const shell = useShell({ APP_ENV_RESPONSE_ENVELOPE: 'A' });

  it('carries the code with every answer, refusals too', async () => {
    const { body } = await shell().as().post('/api/auth/local-login').send({ username: 'admin', password: ADMIN.password }).expect(200);
    expect(body).toMatchObject({ code: 200, data: { tokenType: 'Bearer' } });
    expect((await shell().as(body.data.accessToken).get('/api/admin/apps').expect(200)).body).toEqual({ code: 200, data: [], pagination: { page: 1, limit: 20, total: 0 } });
    expect((await shell().as().get('/api/config/apps').expect(200)).body).toEqual({ code: 200, data: [] });
    expect((await shell().as().get('/api/admin/apps').expect(401)).body).toMatchObject({ code: 401, data: { code: 'UNAUTHORIZED' }, messageError: expect.any(String) });
  });

  it('describes itself so', async () => {
    const { paths } = (await shell().as().get('/api/doc/openapi.json').expect(200)).body;
    expect(Object.keys(paths['/admin/apps'].get.responses['200'].content['application/json'].schema.properties)).toEqual(['code', 'data', 'pagination']);
  });
});

describe('envelope C', () => {
  const shell = useShell({ APP_ENV_RESPONSE_ENVELOPE: 'C' });

  it('is bare', async () => {
    const { body } = await shell().as().post('/api/auth/local-login').send({ username: 'admin', password: ADMIN.password }).expect(200);
    expect(body.tokenType).toBe('Bearer');
    const list = await shell().as(body.accessToken).get('/api/admin/apps').expect(200);
    expect([list.body, list.headers['x-total-count']]).toEqual([[], '0']);
    expect((await shell().as().get('/api/config/apps').expect(200)).body).toEqual([]);
    expect((await shell().as().get('/api/admin/apps').expect(401)).body).toMatchObject({ code: 'UNAUTHORIZED', requestId: expect.any(String) });
  });
});
