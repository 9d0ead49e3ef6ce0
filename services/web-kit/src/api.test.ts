import { QueryObserver } from '@tanstack/react-query';
import { askAnew, createQueryClient } from './api.js';

describe('askAnew', () => {
  it('does not take the answer of a first request that began before the change', async () => {
    const queries = createQueryClient();
    let stored: readonly string[] = [];
    const answers: (() => void)[] = [];
    const queryFn = (): Promise<readonly string[]> => {
      const seen = stored; // what the server sees when the request arrives
      return new Promise((resolve) => answers.push(() => resolve(seen)));
    };
    const observer = new QueryObserver(queries, { queryKey: ['files'], queryFn });
    const end = observer.subscribe(() => undefined);
    stored = ['hello.txt'];
    const asked = askAnew(queries, { queryKey: ['files'] });
    answers[0]?.();
    await new Promise(setImmediate);
    answers[1]?.();
    await asked;
    expect(answers).toHaveLength(2);
    expect(observer.getCurrentResult().data).toEqual(['hello.txt']);
    end();
    queries.clear();
  });
});
