import { Code, ConnectError, type CallOptions } from '@connectrpc/connect';

/** Calls under way at once; who comes meanwhile waits for one of them and goes with the others who wait. */
const PARALLEL = 2;
/** Calls that go together; the Shell takes 64, and a message of 1 MiB. */
const LARGEST = 16;
/** A Shell that does not know batches may be an old process in the middle of an upgrade. */
const UNKNOWN_MS = 600_000;

export interface Batched<Request, Answer> {
  one(request: Request, options?: CallOptions): Promise<Answer>;
  /** An answer for each request; undefined for one that was not done. */
  many(requests: readonly Request[]): Promise<readonly (Answer | undefined)[]>;
  /** What cannot be told from others in a batch goes alone: large requests. */
  goesAlone?(request: Request): boolean;
}

interface Waiting<Request, Answer> {
  readonly request: Request;
  readonly options: CallOptions | undefined;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Calls of the registry that come together go together. Alone a call goes at once, so nobody waits for company; and
 * what is not done in a batch is called alone, where it gets its error.
 */
export class Batches<Request, Answer> {
  private readonly waiting: Waiting<Request, Answer>[] = [];
  private underWay = 0;
  /** Until then (performance.now()) calls are made one by one: the Shell is from before there were batches. */
  private unknownUntil = -Infinity;

  constructor(private readonly calls: Batched<Request, Answer>) {}

  call(request: Request, options?: CallOptions): Promise<Answer> {
    if (performance.now() < this.unknownUntil || this.calls.goesAlone?.(request)) return this.calls.one(request, options);
    return new Promise<Answer>((resolve, reject) => {
      const { signal, timeoutMs } = options ?? {};
      const gaveUp = (): void => reject(new ConnectError('given up by the caller', Code.Canceled));
      if (signal?.aborted) return gaveUp();
      // whoever gives up waits no longer, and nobody longer than they want to, whatever becomes of the call
      const limit = timeoutMs === undefined ? undefined : setTimeout(() => reject(new ConnectError(`no answer within ${timeoutMs} ms`, Code.DeadlineExceeded)), timeoutMs);
      const ended = (): void => {
        clearTimeout(limit);
        signal?.removeEventListener('abort', gaveUp);
      };
      signal?.addEventListener('abort', gaveUp, { once: true });
      this.waiting.push({
        request, options,
        resolve: (answer) => (ended(), resolve(answer)),
        reject: (error) => (ended(), reject(error)),
      });
      this.send();
    });
  }

  private send(): void {
    while (this.underWay < PARALLEL && this.waiting.length > 0) {
      this.underWay += 1;
      const together = this.waiting.splice(0, LARGEST).filter(({ options }) => !options?.signal?.aborted);
      void this.make(together).finally(() => {
        this.underWay -= 1;
        this.send();
      });
    }
  }

  /** Never throws. */
  private async make(together: readonly Waiting<Request, Answer>[]): Promise<void> {
    try {
      const answers = together.length > 1 ? await this.together(together) : [];
      await Promise.all(together.map(async ({ request, options, resolve, reject }, index) => {
        const answer = answers[index];
        if (answer !== undefined) resolve(answer);
        else await this.calls.one(request, options).then(resolve, reject);
      }));
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
  }

  /** No answers when the batch itself is refused: as too large, or by a Shell that does not know it. */
  private async together(calls: readonly Waiting<Request, Answer>[]): Promise<readonly (Answer | undefined)[]> {
    try {
      return await this.calls.many(calls.map(({ request }) => request));
    } catch (error) {
      const { code } = ConnectError.from(error);
      if (code === Code.Unimplemented) this.unknownUntil = performance.now() + UNKNOWN_MS;
      if (![Code.Unimplemented, Code.InvalidArgument, Code.ResourceExhausted].includes(code)) throw error;
      return [];
    }
  }
}
