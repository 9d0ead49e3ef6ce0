import { ApiError, describeError, errorOf } from './errors.js';

const answer = (status: number, body: string, headers: Record<string, string> = {}): Response => new Response(body, { status, headers });

describe('the error of an answer', () => {
  it('has what the person is told, what to report, and what belongs to which field', async () => {
    const body = { error: { code: 'VALIDATION_ERROR', message: 'Invalid fields: email', requestId: 'r-1', details: { reason: 'request.invalid_fields', fields: [{ field: 'body.email', message: 'must be an e-mail address' }, { field: 'query.page', message: 'must be a number' }] } } };
    expect(await errorOf(answer(400, JSON.stringify(body)))).toMatchObject({ status: 400, code: 'VALIDATION_ERROR', message: 'Invalid fields: email', requestId: 'r-1', reason: 'request.invalid_fields', fields: { email: 'must be an e-mail address', page: 'must be a number' } });
  });

  it.each([['a page of a proxy', '<h1>Bad gateway</h1>'], ['nothing', ''], ['null', 'null'], ['another shape', '{"detail":"x"}']])('says at least the status of %s, and the request by its header', async (_what, body) => {
    expect(await errorOf(answer(502, body, { 'x-request-id': 'r-2' }))).toMatchObject({ status: 502, code: 'UNKNOWN', message: 'The server answered 502.', requestId: 'r-2', reason: undefined, fields: {} });
  });
});

describe('words for an error', () => {
  it('are the server\'s, with the request', () => {
    expect(describeError(new ApiError(409, 'CONFLICT', 'The name is in use.', 'r-3', undefined, {}))).toEqual({ message: 'The name is in use.', requestId: 'r-3' });
  });

  it.each(['Failed to fetch', 'NetworkError when attempting to fetch resource.', 'Load failed'])('tell of a lost connection where browsers say "%s"', (message) => {
    expect(describeError(new TypeError(message)).message).toBe('The server cannot be reached. Check the connection and try again.');
  });

  it('are those of whatever was thrown otherwise', () => {
    expect([describeError(new Error('broken')).message, describeError('odd').message]).toEqual(['broken', 'odd']);
  });
});
