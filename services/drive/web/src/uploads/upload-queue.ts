import { ApiError, errorOf, type TokenSource } from '@satellite/web-kit';

export type UploadState = 'waiting' | 'sending' | 'done' | 'failed' | 'cancelled';

export interface Upload {
  readonly id: number;
  readonly file: File;
  /** As it will be called in Drive. */
  readonly name: string;
  readonly folderId: string | null;
  readonly state: UploadState;
  /** From 0 to 1. */
  readonly progress: number;
  readonly error?: unknown;
}

const AT_ONCE = 3;
let lastId = 0;

/** Files on their way in: a few at a time, each with its progress, its end, and a way to stop or repeat it. */
export class UploadQueue {
  private items: readonly Upload[] = [];
  private readonly running = new Map<number, XMLHttpRequest>();
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly url: string,
    private readonly tokens: TokenSource,
    private readonly onStored: () => void,
  ) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): readonly Upload[] => this.items;

  add(files: readonly File[], folderId: string | null): void {
    this.set([...this.items, ...files.map((file): Upload => ({ id: ++lastId, file, name: file.name, folderId, state: 'waiting', progress: 0 }))]);
    this.pump();
  }

  cancel(id: number): void {
    this.change(id, { state: 'cancelled', progress: 0 });
    this.running.get(id)?.abort();
  }

  cancelAll(): void {
    for (const { id } of this.items.filter(isOpen)) this.cancel(id);
  }

  retry(id: number, name?: string): void {
    this.change(id, { state: 'waiting', progress: 0, error: undefined, ...(name !== undefined && { name }) });
    this.pump();
  }

  /** Forgets what has ended. */
  clear(): void {
    this.set(this.items.filter(isOpen));
  }

  private pump(): void {
    const sending = this.items.filter(({ state }) => state === 'sending').length;
    for (const upload of this.items.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, AT_ONCE - sending))) {
      this.change(upload.id, { state: 'sending' });
      void this.run(upload);
    }
  }

  private async run(upload: Upload): Promise<void> {
    try {
      let answer = await this.send(upload);
      if (answer.status === 401) {
        this.tokens.forget();
        answer = await this.send(upload);
      }
      if (!answer.ok) throw await errorOf(answer);
      this.end(upload.id, { state: 'done', progress: 1 });
      this.onStored();
    } catch (error) {
      this.end(upload.id, { state: 'failed', error });
    }
    this.pump();
  }

  /** What was cancelled stays so, whatever comes after. */
  private end(id: number, change: Partial<Upload>): void {
    this.running.delete(id);
    if (this.stateOf(id) === 'sending') this.change(id, change);
  }

  /** fetch does not tell how much was sent. */
  private async send({ id, file, name, folderId }: Upload): Promise<Response> {
    const token = await this.tokens.get();
    if (this.stateOf(id) !== 'sending') throw new Error('cancelled');
    const form = new FormData();
    form.append('folderId', folderId ?? ''); // before the file: a name in use is refused before the bytes are sent
    form.append('file', file, name);
    const request = new XMLHttpRequest();
    this.running.set(id, request);
    return new Promise((resolve, reject) => {
      request.upload.onprogress = ({ loaded, total }) => this.change(id, { progress: total === 0 ? 0 : loaded / total });
      request.onload = () => resolve(new Response(request.responseText, { status: request.status, headers: { 'x-request-id': request.getResponseHeader('x-request-id') ?? '' } }));
      request.onabort = () => reject(new Error('cancelled'));
      request.onerror = () => reject(new ApiError(0, 'NETWORK', '', undefined, undefined, {}));
      request.open('POST', this.url);
      request.setRequestHeader('authorization', `Bearer ${token}`);
      request.send(form);
    });
  }

  private stateOf(id: number): UploadState | undefined {
    return this.items.find((upload) => upload.id === id)?.state;
  }

  private change(id: number, change: Partial<Upload>): void {
    this.set(this.items.map((upload) => (upload.id === id ? { ...upload, ...change } : upload)));
  }

  private set(items: readonly Upload[]): void {
    this.items = items;
    for (const listener of this.listeners) listener();
  }
}

export const isOpen = ({ state }: Upload): boolean => state === 'waiting' || state === 'sending';

/** `plan (2).pdf` for `plan.pdf`, and `plan (3).pdf` for that. */
export function otherName(name: string): string {
  const [, stem = name, extension = ''] = /^(.+?)(\.[^.]{1,10})?$/s.exec(name) ?? [];
  const [, base = stem, number = '1'] = /^(.*) \((\d{1,4})\)$/s.exec(stem) ?? [];
  return `${base} (${Number(number) + 1})${extension}`;
}
