import { once } from 'node:events';
import type { Redis } from 'ioredis';

/** One promise of Redis that the platform relies on; throws when it does not hold. */
export interface RedisCheck {
  readonly title: string;
  readonly run: (redis: Redis) => Promise<void>;
}

/** A script as the platform would write one: compare, then act, in one step. */
const COMPARE_AND_DELETE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";

const strings: RedisCheck[] = [
  check('get of a missing key is null', async (r) => expect(await r.get('none')).toBeNull()),
  check('set and get keep Unicode', async (r) => { await r.set('k', 'žluťoučký 🛰'); expect(await r.get('k')).toBe('žluťoučký 🛰'); }),
  check('binary values come back byte for byte', async (r) => {
    const bytes = Buffer.from([0, 255, 10, 13, 128]);
    await r.set('k', bytes);
    expect(await r.getBuffer('k')).toEqual(bytes);
  }),
  check('values of 5 MB pass', async (r) => { await r.set('k', 'x'.repeat(5_000_000)); expect(await r.strlen('k')).toBe(5_000_000); }),
  check('mset and mget answer in order, null for missing keys', async (r) => { await r.mset('a', '1', 'b', '2'); expect(await r.mget('b', 'none', 'a')).toEqual(['2', null, '1']); }),
  check('incr counts, and refuses text', async (r) => {
    expect([await r.incr('n'), await r.incrby('n', 5), await r.decr('n')]).toEqual([1, 6, 5]);
    await r.set('t', 'abc');
    await expect(r.incr('t')).rejects.toThrow('value is not an integer');
  }),
  check('getset, getdel and append', async (r) => {
    await r.set('k', 'a');
    expect([await r.getset('k', 'b'), await r.append('k', 'c'), await r.getdel('k'), await r.exists('k')]).toEqual(['a', 2, 'bc', 0]);
  }),
  check('a command on the wrong type is WRONGTYPE', async (r) => { await r.lpush('l', 'x'); await expect(r.get('l')).rejects.toThrow('WRONGTYPE'); }),
];

const expiry: RedisCheck[] = [
  check('EX sets a time to live, PTTL tells it', async (r) => {
    await r.set('k', 'v', 'EX', 100);
    expect(await r.ttl('k')).toBe(100);
    expect(await r.pttl('k')).toBeGreaterThan(99_000);
  }),
  check('ttl is -1 without expiry and -2 without key', async (r) => { await r.set('k', 'v'); expect([await r.ttl('k'), await r.ttl('none')]).toEqual([-1, -2]); }),
  check('PX expires', async (r) => { await r.set('k', 'v', 'PX', 20); await gone(r, 'k'); expect(await r.get('k')).toBeNull(); }),
  check('set without options drops the expiry, KEEPTTL keeps it', async (r) => {
    await r.set('k', 'v', 'EX', 100);
    await r.set('k', 'w', 'KEEPTTL');
    expect(await r.ttl('k')).toBeGreaterThan(90);
    await r.set('k', 'x');
    expect(await r.ttl('k')).toBe(-1);
  }),
  check('expire, persist and expireat', async (r) => {
    await r.set('k', 'v');
    expect([await r.expire('k', 50), await r.persist('k'), await r.expireat('k', Math.floor(Date.now() / 1000) + 60)]).toEqual([1, 1, 1]);
    expect(await r.ttl('k')).toBeGreaterThan(50);
  }),
  check('NX sets only a missing key, XX only an existing one', async (r) => {
    expect([await r.set('k', '1', 'NX'), await r.set('k', '2', 'NX'), await r.set('none', '1', 'XX'), await r.set('k', '3', 'XX')]).toEqual(['OK', null, null, 'OK']);
    expect(await r.get('k')).toBe('3');
  }),
  check('a lock by SET NX PX has one owner', async (r) => {
    const won = await Promise.all(Array.from({ length: 10 }, (_, owner) => r.set('lock', String(owner), 'PX', 5000, 'NX')));
    expect(won.filter((answer) => answer === 'OK')).toHaveLength(1);
  }),
];

const collections: RedisCheck[] = [
  check('hashes', async (r) => {
    await r.hset('h', { a: '1', b: '2' });
    expect([await r.hget('h', 'a'), await r.hincrby('h', 'b', 3), await r.hdel('h', 'a'), await r.hlen('h')]).toEqual(['1', 5, 1, 1]);
    expect(await r.hgetall('h')).toEqual({ b: '5' });
  }),
  check('sets', async (r) => {
    await r.sadd('s', 'a', 'b', 'b');
    expect([await r.scard('s'), await r.sismember('s', 'a'), await r.srem('s', 'a')]).toEqual([2, 1, 1]);
    expect(await r.smembers('s')).toEqual(['b']);
  }),
  check('lists', async (r) => { await r.rpush('l', 'a', 'b', 'c'); expect([await r.lpop('l'), await r.llen('l'), await r.lrange('l', 0, -1)]).toEqual(['a', 2, ['b', 'c']]); }),
  check('sorted sets as a sliding window', async (r) => {
    await r.zadd('z', 1, 'a', 2, 'b', 3, 'c');
    expect([await r.zremrangebyscore('z', 0, 1), await r.zcard('z'), await r.zrangebyscore('z', '-inf', '+inf', 'WITHSCORES')]).toEqual([1, 2, ['b', '2', 'c', '3']]);
  }),
  check('scan with MATCH walks all keys', async (r) => {
    await Promise.all(Array.from({ length: 250 }, (_, i) => r.set(`scan:${i}`, '1')));
    const found = new Set<string>();
    let cursor = '0';
    do {
      const [next, keys] = await r.scan(cursor, 'MATCH', 'scan:*', 'COUNT', 50);
      for (const key of keys) found.add(key);
      cursor = next;
    } while (cursor !== '0');
    expect(found.size).toBe(250);
  }),
  check('del and unlink count what was there', async (r) => { await r.mset('a', '1', 'b', '1'); expect([await r.del('a', 'none'), await r.unlink('b'), await r.exists('a', 'b')]).toEqual([1, 1, 0]); }),
  check('rename and type', async (r) => { await r.set('a', '1'); await r.rename('a', 'b'); expect([await r.type('b'), await r.type('a')]).toEqual(['string', 'none']); }),
];

const atomicity: RedisCheck[] = [
  check('a pipeline answers in order, errors beside values', async (r) => {
    const answers = await r.pipeline().set('k', 'text').incr('k').get('k').exec();
    expect(answers?.map(([error, value]) => (error ? 'error' : value))).toEqual(['OK', 'error', 'text']);
  }),
  check('multi runs as one', async (r) => { expect((await r.multi().set('k', '1').incr('k').exec())?.map(([, value]) => value)).toEqual(['OK', 2]); }),
  check('WATCH gives up when another connection writes', async (r) => {
    await withSecond(r, async (other) => {
      await r.watch('k');
      await other.set('k', 'theirs');
      expect(await r.multi().set('k', 'mine').exec()).toBeNull();
      expect(await r.get('k')).toBe('theirs');
    });
  }),
  check('eval compares and deletes', async (r) => {
    await r.set('lock', 'me');
    expect([await r.eval(COMPARE_AND_DELETE, 1, 'lock', 'other'), await r.eval(COMPARE_AND_DELETE, 1, 'lock', 'me')]).toEqual([0, 1]);
  }),
  check('evalsha runs a loaded script and says NOSCRIPT for an unknown one', async (r) => {
    const sha = String(await r.script('LOAD', 'return ARGV[1]'));
    expect(await r.evalsha(sha, 0, 'hi')).toBe('hi');
    await expect(r.evalsha('0'.repeat(40), 0)).rejects.toThrow('NOSCRIPT');
  }),
  check('Lua has cjson and sees errors of commands', async (r) => {
    expect(await r.eval("return cjson.encode({a = 1})", 0)).toBe('{"a":1}');
    await expect(r.eval("return redis.call('incr', KEYS[1], 'x')", 1, 'k')).rejects.toThrow();
  }),
];

const messages: RedisCheck[] = [
  check('publish reaches a subscriber and counts it', async (r) => {
    await withSecond(r, async (subscriber) => {
      await subscriber.subscribe('news');
      const heard = once(subscriber, 'message');
      expect(await r.publish('news', 'hello')).toBe(1);
      expect(await heard).toEqual(['news', 'hello']);
    });
  }),
  check('psubscribe hears matching channels only', async (r) => {
    await withSecond(r, async (subscriber) => {
      await subscriber.psubscribe('apps.*');
      const heard = once(subscriber, 'pmessage');
      expect([await r.publish('other', 'x'), await r.publish('apps.changed', 'y')]).toEqual([0, 1]);
      expect(await heard).toEqual(['apps.*', 'apps.changed', 'y']);
    });
  }),
  check('messages of one publisher keep their order', async (r) => {
    await withSecond(r, async (subscriber) => {
      const heard: string[] = [];
      const all = new Promise<void>((resolve) => subscriber.on('message', (_, text: string) => { heard.push(text); if (heard.length === 50) resolve(); }));
      await subscriber.subscribe('news');
      await Promise.all(Array.from({ length: 50 }, (_, i) => r.publish('news', String(i))));
      await all;
      expect(heard).toEqual(Array.from({ length: 50 }, (_, i) => String(i)));
    });
  }),
  check('unsubscribe ends it', async (r) => {
    await withSecond(r, async (subscriber) => { await subscriber.subscribe('news'); await subscriber.unsubscribe('news'); expect(await r.publish('news', 'x')).toBe(0); });
  }),
  check('BLPOP waits for another connection', async (r) => {
    await withSecond(r, async (waiter) => {
      const waiting = waiter.blpop('queue', 5);
      await r.rpush('queue', 'job');
      expect(await waiting).toEqual(['queue', 'job']);
    });
  }),
  check('databases are apart, flushdb empties one', async (r) => {
    await withSecond(r, async (other) => {
      await other.select(1);
      await other.set('k', 'one');
      expect(await r.get('k')).toBeNull();
      await r.flushdb();
      expect(await other.get('k')).toBe('one');
      await other.flushdb();
    });
  }),
];

/** Everything the platform expects of a Redis, whichever runs behind the client. */
export const REDIS_CHECKS: readonly RedisCheck[] = [...strings, ...expiry, ...collections, ...atomicity, ...messages];

function check(title: string, run: (redis: Redis) => Promise<void>): RedisCheck {
  return { title, run };
}

async function withSecond(redis: Redis, work: (other: Redis) => Promise<void>): Promise<void> {
  const other = redis.duplicate();
  try {
    await work(other);
  } finally {
    other.disconnect();
  }
}

/** Asks until the key is gone; the time limit of the test ends a server that does not expire. */
async function gone(redis: Redis, key: string): Promise<void> {
  while ((await redis.exists(key)) === 1) await new Promise((resolve) => setTimeout(resolve, 5));
}
