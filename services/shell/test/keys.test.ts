import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import { systemClock, type Clock } from '@satellite/kit/core';
import { createLogger } from '@satellite/kit/telemetry';
import { KeyVault, WrongEncryptionKey } from '../src/modules/auth/key-vault.js';
import { SigningKeysRepository } from '../src/modules/auth/signing-keys.repository.js';
import { SigningKeysService, type KeySchedule } from '../src/modules/auth/signing-keys.service.js';
import { TokenService } from '../src/modules/auth/token.service.js';
import { useShell } from './support/shell.js';

const shell = useShell();
const logger = createLogger({ service: 'test', level: 'silent' });
const vault = new KeyVault(Buffer.alloc(32, 7));
/** A process of the platform as far as keys go. */
async function process(schedule: KeySchedule, seal = vault, clock: Clock = systemClock): Promise<{ keys: SigningKeysService; tokens: TokenService }> {
  const keys = new SigningKeysService(new SigningKeysRepository(shell().shell.container.db), seal, schedule, logger, clock);
  await keys.turn();
  return { keys, tokens: new TokenService(keys, { issuer: 'http://platform.test', audience: 'platform' }, clock) };
}
const slow: KeySchedule = { rotation: 3600, publishAhead: 600, keepAfter: 3900, check: 30 };
const age = (seconds: number) => shell().query(`update signing_keys set active_from = active_from - make_interval(secs => ?)`, [seconds]);
const ids = (keys: SigningKeysService): string[] => keys.keySet().keys.map(({ kid }) => kid ?? '');

describe('signing keys', () => {
  it('cannot be read with another encryption key, and never lie in the clear', async () => {
    await expect(process(slow, new KeyVault(Buffer.alloc(32, 8)))).rejects.toBeInstanceOf(WrongEncryptionKey);
    const rows = await shell().query<{ text: string }>('select private_key_encrypted || public_jwk::text as text from signing_keys');
    for (const { text } of rows) expect(text).not.toMatch(/PRIVATE KEY|"d":/);
  });

  it('are one for all processes of a fresh database, however many start at once', async () => {
    await shell().query('delete from signing_keys');
    const started = await Promise.all(Array.from({ length: 5 }, () => process(slow)));
    await Promise.all(started.map(({ keys }) => keys.turn()));
    expect(new Set(started.map(({ keys }) => ids(keys).join()))).toEqual(new Set([ids(started[0]?.keys as SigningKeysService).join()]));
  });

  it('are published before they sign, and verify until the last token they signed has ended', async () => {
    await shell().query('delete from signing_keys');
    const { keys } = await process(slow);
    const [first = ''] = ids(keys);
    await age(2900);
    await keys.turn();
    expect(ids(keys)).toEqual([first]);
    await age(101);
    await keys.turn();
    const [second = '', ...rest] = ids(keys);
    expect(rest).toEqual([first]);
    // another process that has not looked yet verifies nothing it does not know: the new key does not sign yet
    expect((await process(slow)).keys.signingKey().id).toBe(first);
    await age(601);
    const later = await process(slow);
    expect(later.keys.signingKey().id).toBe(second);
    expect(ids(later.keys)).toContain(first);
    await age(3900);
    await later.keys.turn();
    expect(ids(later.keys)).not.toContain(first);
  });

  it('change without one failed verification, by processes and verifiers that look at different times', async () => {
    await shell().query('delete from signing_keys');
    let seconds = Math.ceil(Date.now() / 30_000) * 30;
    const clock = { now: () => seconds * 1000 };
    const processes = await Promise.all([0, 1, 2].map(() => process(slow, vault, clock)));
    const verifiers = [0, 60, 150, 299].map((offset) => ({ next: seconds + offset, keys: createLocalJWKSet(processes[0]?.keys.keySet() as JSONWebKeySet) }));
    const turned = processes.map(() => seconds);
    const seen = new Set<string>();
    let tokens: { text: string; until: number }[] = [];
    const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T;
    for (const end = seconds + 8 * slow.rotation; seconds < end; seconds += 30) {
      for (const [index, { keys }] of processes.entries()) {
        // each misses turns, as a busy one does, but none so many that a verifier could take over its keys of before the new one was published
        if (Math.random() > 1 / 3 && seconds - (turned[index] ?? 0) < 270) continue;
        await keys.turn();
        turned[index] = seconds;
      }
      for (const verifier of verifiers) {
        if (seconds >= verifier.next) Object.assign(verifier, { next: seconds + 300, keys: createLocalJWKSet(pick(processes).keys.keySet()) });
      }
      const { accessToken } = await pick(processes).tokens.issueForService('load');
      seen.add(decodeProtectedHeader(accessToken).kid ?? '');
      tokens = [...tokens.filter(({ until }) => until > seconds), { text: accessToken, until: seconds + 3600 }];
      for (const { text } of [tokens.at(-1), pick(tokens)] as typeof tokens) {
        await jwtVerify(text, pick(verifiers).keys, { audience: 'shell-rbac', currentDate: new Date(clock.now()) });
        await pick(processes).tokens.verifyForGateway(text);
      }
    }
    expect(seen.size).toBeGreaterThan(6);
  }, 120_000);
});
