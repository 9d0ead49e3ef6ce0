import { Code, ConnectError } from '@connectrpc/connect';
import { Batches } from './registry-batches.js';

/** Calls that wait until they are told to go on. */
function scene(many?: (requests: readonly string[]) => Promise<readonly (string | undefined)[]>) {
  const made: (readonly string[])[] = [];
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const batches = new Batches<string, string>({
    async one(request) {
      made.push([request]);
      await gate;
      if (request.startsWith('bad')) throw new ConnectError(request, Code.AlreadyExists);
      return `${request} alone`;
    },
    async many(requests) {
      made.push(requests);
      await gate;
      return many ? many(requests) : requests.map((request) => (request.startsWith('bad') ? undefined : `${request} together`));
    },
    goesAlone: (request) => request.startsWith('large'),
  });
  return { batches, made, open };
}

describe('calls of the registry', () => {
  it('go at once while few are under way, and together when many wait', async () => {
    const { batches, made, open } = scene();
    const calls = ['a', 'b', 'c', 'd', 'e'].map((request) => batches.call(request));
    expect(made).toEqual([['a'], ['b']]);
    open();
    expect(await Promise.all(calls)).toEqual(['a alone', 'b alone', 'c together', 'd together', 'e together']);
    expect(made[2]).toEqual(['c', 'd', 'e']);
  });

  it('get their own error, whatever became of the others', async () => {
    const { batches, open } = scene();
    const calls = ['a', 'b', 'c', 'bad', 'e'].map((request) => batches.call(request));
    open();
    const ended = await Promise.allSettled(calls);
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(ended[3]).toMatchObject({ reason: { code: Code.AlreadyExists, rawMessage: 'bad' } });
  });

  it('all fail when the registry is away', async () => {
    const { batches, made, open } = scene(() => Promise.reject(new ConnectError('away', Code.Unavailable)));
    const calls = ['a', 'b', 'c', 'd'].map((request) => batches.call(request));
    open();
    const ended = await Promise.allSettled(calls);
    expect(ended.slice(2)).toMatchObject([{ reason: { code: Code.Unavailable } }, { reason: { code: Code.Unavailable } }]);
    expect(made).toHaveLength(3);
  });

  it.each([Code.Unimplemented, Code.ResourceExhausted])('are made alone when a batch is refused with code %s', async (code) => {
    const { batches, made, open } = scene(() => Promise.reject(new ConnectError('no', code)));
    const calls = ['a', 'b', 'c', 'd'].map((request) => batches.call(request));
    open();
    expect(await Promise.all(calls)).toEqual(['a alone', 'b alone', 'c alone', 'd alone']);
    const later = ['e', 'f', 'g', 'h'].map((request) => batches.call(request));
    await Promise.all(later);
    expect(made.filter(({ length }) => length > 1)).toHaveLength(code === Code.Unimplemented ? 1 : 2);
  });

  it('are not made for a caller who has given up before, and wait no longer than the caller wants', async () => {
    const { batches, made, open } = scene();
    const ended = AbortSignal.abort();
    await expect(batches.call('late', { signal: ended })).rejects.toMatchObject({ code: Code.Canceled });
    const [first, second] = [batches.call('a'), batches.call('b')];
    await expect(batches.call('c', { timeoutMs: 1 })).rejects.toMatchObject({ code: Code.DeadlineExceeded });
    open();
    expect([await first, await second, made.flat().includes('late')]).toEqual(['a alone', 'b alone', false]);
  });

  it('go alone when they are large, and are not made when the caller has given up', async () => {
    const { batches, made, open } = scene();
    const end = new AbortController();
    const calls = [batches.call('a'), batches.call('b'), batches.call('c', { signal: end.signal }), batches.call('large')];
    end.abort();
    await expect(calls[2]).rejects.toMatchObject({ code: Code.Canceled });
    open();
    await Promise.all([calls[0], calls[1], calls[3]]);
    expect(made).toEqual([['a'], ['b'], ['large']]);
  });
});
