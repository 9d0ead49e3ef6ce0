import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ObjectStore } from '../storage/index.js';

const MEGABYTE = 1024 * 1024;
const ROOM = { maxBytes: 64 * MEGABYTE };
const newKey = (): string => `org-1/${randomUUID()}`;
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Bytes in chunks, with a look at whether the one who takes them keeps up. */
async function* chunksOf(total: number, chunk = 64 * 1024): AsyncIterable<Buffer> {
  const bytes = randomBytes(chunk);
  for (let sent = 0; sent < total; sent += chunk) yield bytes.subarray(0, Math.min(chunk, total - sent));
}

async function keysOf(store: ObjectStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list()) keys.push(key);
  return keys.sort();
}

class Broken extends Error {}

/** Everything that the platform relies on in a store; one suite for all of them. `open` answers an empty store. */
export function describeObjectStore(name: string, open: () => Promise<ObjectStore>): void {
  describe(`${name} as an object store`, () => {
    let store: ObjectStore;
    beforeAll(async () => {
      store = await open();
    });
    const put = (bytes: Buffer, key = newKey()) => store.put(key, Readable.from([bytes]), ROOM);

    it.each([0, 1, 65_536, 8 * MEGABYTE, 8 * MEGABYTE + 1, 20 * MEGABYTE])('keeps %d bytes as they are, with their checksum', async (size) => {
      const bytes = randomBytes(size);
      const { key, ...stored } = await put(bytes);
      expect(stored).toEqual({ size, checksum: sha256(bytes) });
      expect((await buffer(await store.get(key))).equals(bytes)).toBe(true);
      expect(await store.stat(key)).toMatchObject({ key, size });
    });

    it('gives parts, first and last byte included', async () => {
      const bytes = randomBytes(1000);
      const { key } = await put(bytes);
      for (const [start, end] of [[0, 0], [0, 999], [100, 199], [999, 999]] as const) expect((await buffer(await store.get(key, { start, end }))).equals(bytes.subarray(start, end + 1))).toBe(true);
    });

    it('knows nothing of what was never put, and says so before the first byte', async () => {
      expect(await store.stat(newKey())).toBeUndefined();
      await expect(store.get(newKey())).rejects.toMatchObject({ code: 'storage.object_missing' });
      await expect(store.get(newKey(), { start: 0, end: 1 })).rejects.toMatchObject({ code: 'storage.object_missing' });
    });

    it('refuses keys that are not of our making', async () => {
      for (const key of ['', '../x', 'a/../b', '/a', 'a//b', 'a/', 'A', 'a b', 'a\0b', 'ä', `a${'/a'.repeat(150)}`]) {
        await expect(store.put(key, Readable.from([]), ROOM)).rejects.toThrow(TypeError);
        await expect(store.get(key)).rejects.toThrow(TypeError);
        await expect(store.remove([key])).rejects.toThrow(TypeError);
      }
    });

    it.each([10, 9 * MEGABYTE])('takes %d bytes where that many are allowed, not one more, and leaves nothing of what it refuses', async (maxBytes) => {
      const [taken, refused] = [newKey(), newKey()];
      await expect(store.put(taken, Readable.from(chunksOf(maxBytes, 1000)), { maxBytes })).resolves.toMatchObject({ size: maxBytes });
      await expect(store.put(refused, Readable.from(chunksOf(maxBytes + 1, 1000)), { maxBytes })).rejects.toMatchObject({ kind: 'too_large' });
      expect(await store.stat(refused)).toBeUndefined();
      expect(await keysOf(store)).not.toContain(refused);
    });

    it.each([MEGABYTE, 20 * MEGABYTE])('shows nothing of a stream that breaks after %d bytes', async (size) => {
      const key = newKey();
      const breaking = Readable.from((async function* () {
        yield* chunksOf(size);
        expect(await store.stat(key)).toBeUndefined();
        throw new Broken('cut');
      })());
      await expect(store.put(key, breaking, ROOM)).rejects.toMatchObject({ code: 'storage.failed', cause: expect.any(Broken) });
      expect(await store.stat(key)).toBeUndefined();
      expect(await store.sweep(new Date(Date.now() + 60_000))).toBe(0);
    });

    it('stops when it is told to', async () => {
      const key = newKey();
      const stopping = new AbortController();
      const endless = Readable.from((async function* () {
        for (let sent = 0; ; sent += 1) {
          if (sent === 20) stopping.abort();
          yield randomBytes(1000);
        }
      })());
      await expect(store.put(key, endless, { ...ROOM, signal: stopping.signal })).rejects.toMatchObject({ name: 'AbortError' });
      expect(await store.stat(key)).toBeUndefined();
    });

    it('does not wait for a stream that hangs, once it is too long or is to stop', async () => {
      const hanging = (bytes: number): Readable => {
        const stream = new Readable({ read: () => undefined });
        stream.push(randomBytes(bytes));
        return stream;
      };
      await expect(store.put(newKey(), hanging(11), { maxBytes: 10 })).rejects.toMatchObject({ kind: 'too_large' });
      await expect(store.put(newKey(), hanging(1), { maxBytes: 10, signal: AbortSignal.timeout(10) })).rejects.toMatchObject({ name: 'AbortError' });
    });

    it('removes many at once, and what is gone already', async () => {
      const keys = await Promise.all(Array.from({ length: 30 }, async () => (await put(Buffer.from('x'))).key));
      await store.remove([...keys, newKey()]);
      await store.remove(keys);
      await store.remove([]);
      expect((await keysOf(store)).filter((key) => keys.includes(key))).toEqual([]);
    });

    it('lists everything there is', async () => {
      const keys = await Promise.all(Array.from({ length: 25 }, async (_, index) => (await put(Buffer.alloc(index), `org-2/${String(index).padStart(2, '0')}/${randomUUID()}`)).key));
      const listed = new Map<string, number>();
      for await (const { key, size, modifiedAt } of store.list()) {
        listed.set(key, size);
        expect(Math.abs(Date.now() - modifiedAt.getTime())).toBeLessThan(3_600_000);
      }
      keys.forEach((key, index) => expect(listed.get(key)).toBe(index));
    });

    it('goes on giving an object that is removed meanwhile, or cuts it off, but never gives other bytes', async () => {
      const bytes = randomBytes(4 * MEGABYTE);
      const { key } = await put(bytes);
      const stream = await store.get(key);
      await store.remove([key]);
      const given = await buffer(stream).catch(() => undefined);
      if (given !== undefined) expect(bytes.subarray(0, given.length).equals(given)).toBe(true);
    });

    it('takes many at the same time', async () => {
      const contents = Array.from({ length: 12 }, () => randomBytes(300_000));
      const stored = await Promise.all(contents.map((bytes) => put(bytes)));
      for (const [index, { key }] of stored.entries()) expect((await buffer(await store.get(key))).equals(contents[index] ?? Buffer.alloc(0))).toBe(true);
    });

    it('abandons what is there of a key, whole or not at all', async () => {
      const { key } = await put(Buffer.from('whole'));
      await store.abandon(key);
      await store.abandon(newKey());
      expect(await store.stat(key)).toBeUndefined();
    });

    it('says that it is up', async () => {
      expect(await store.isUp()).toBe(true);
    });
  });
}
