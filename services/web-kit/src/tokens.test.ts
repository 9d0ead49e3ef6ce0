import { AUTH_CHANNEL, type TokenUpdate } from './contract.js';
import { TokenClient, type ServiceToken } from './tokens.js';

const HOUR_S = 3600;

/** An exchange that answers when the test says so, and counts. */
function exchange(expiresIn = HOUR_S) {
  const asked: string[] = [];
  const answers: ((token: ServiceToken) => void)[] = [];
  const work = (shellToken: string): Promise<ServiceToken> => {
    asked.push(shellToken);
    return new Promise((resolve) => answers.push(resolve));
  };
  const answer = (): void => answers.splice(0).forEach((resolve) => resolve({ accessToken: `token ${asked.length} for ${asked.at(-1)}`, expiresIn }));
  return { asked, answer, work };
}

const shell = new BroadcastChannel(AUTH_CHANNEL);
const announce = (shellToken: string | null): void => shell.postMessage({ type: 'TOKEN_UPDATE', shellToken, idpToken: null } satisfies TokenUpdate);
const until = async (check: () => boolean): Promise<void> => {
  while (!check()) await new Promise((resolve) => setImmediate(resolve));
};

const clients: TokenClient[] = [];
function client(work: (shellToken: string) => Promise<ServiceToken>): TokenClient {
  const made = new TokenClient(work);
  clients.push(made);
  return made;
}
afterAll(() => {
  shell.close();
  for (const { channel } of clients as unknown as { channel: BroadcastChannel }[]) channel.close();
});

describe('the tokens of a remote', () => {
  it('wait for the Shell\'s first announcement, and are exchanged once however many ask', async () => {
    const { asked, answer, work } = exchange();
    const tokens = client(work);
    const three = Promise.all([tokens.get(), tokens.get(), tokens.get()]);
    announce('shell 1');
    await until(() => asked.length > 0);
    answer();
    expect(await three).toEqual(['token 1 for shell 1', 'token 1 for shell 1', 'token 1 for shell 1']);
    expect(await tokens.get()).toBe('token 1 for shell 1');
    expect(asked).toEqual(['shell 1']);
  });

  it('are exchanged anew for a new token of the Shell, after a refusal, and in the last minute', async () => {
    const { asked, answer, work } = exchange(59);
    const tokens = client(work);
    const next = async (announced?: string): Promise<string> => {
      if (announced !== undefined) announce(announced);
      const count = asked.length;
      const got = tokens.get();
      await until(() => asked.length > count);
      answer();
      return got;
    };
    expect(await next('shell 2')).toBe('token 1 for shell 2');
    expect(await next()).toBe('token 2 for shell 2'); // 59 s are less than the minute
    tokens.forget();
    expect(await next()).toBe('token 3 for shell 2');
  });

  it('are not those of a failed exchange', async () => {
    let fails = true;
    const tokens = client(async () => {
      if (fails) throw new Error('refused');
      return { accessToken: 'second', expiresIn: HOUR_S };
    });
    const first = tokens.get();
    announce('shell 3');
    await expect(first).rejects.toThrow('refused');
    fails = false;
    expect(await tokens.get()).toBe('second');
  });
});
