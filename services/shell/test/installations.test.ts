import { randomUUID } from 'node:crypto';
import { Code, type Client } from '@connectrpc/connect';
import { Change, type AppRegistry } from '@satellite/proto/registry/v1';
import { entriesOf } from './support/audit.js';
import { app, codeOf, operatorRegistry, registryClient, source } from './support/registry.js';
import { useShell, type TestShell } from './support/shell.js';

const EU = { installation: 'eu', clientId: 'operator-eu', clientSecret: 'secret-of-the-cluster-in-europe' };
const US = { installation: 'us', clientId: 'operator-us', clientSecret: 'secret-of-the-cluster-in-america' };
const configured = (...list: readonly object[]) => ({ APP_ENV_OPERATOR_INSTALLATIONS: JSON.stringify(list) });

const shell = useShell(configured(EU, US));
let [main, eu, us] = [] as unknown as [Client<typeof AppRegistry>, Client<typeof AppRegistry>, Client<typeof AppRegistry>];
const signedIn = async (on: TestShell, { clientId, clientSecret }: typeof EU): Promise<Client<typeof AppRegistry>> => {
  const { body } = await on.as().post('/api/auth/service-token').send({ clientId, clientSecret }).expect(200);
  return registryClient(on.url, body.data.accessToken as string);
};
beforeAll(async () => {
  main = await operatorRegistry(shell());
  [eu, us] = [await signedIn(shell(), EU), await signedIn(shell(), US)];
});

const report = () => ({ digest: randomUUID(), observedGeneration: 1n, conditions: [] });
const ownerOf = async (slug: string) => (await main.listApps({ slug })).apps[0]?.source?.installation;
/** An entry of the cluster in Europe. */
async function european() {
  const [desired, from] = [app(), source({ installation: 'eu', deletionPolicy: 'Delete' })];
  await eu.applyApp({ app: desired, source: from });
  return { desired, from, slug: desired.slug };
}

describe('an installation with a service client of its own', () => {
  it.each([
    ['the client of another one', () => us],
    ['the client that speaks for none', () => main],
  ])('is nobody\'s to speak for: %s is refused, whatever it knows of the object', async (_who, clientOf) => {
    const { desired, from, slug } = await european();
    for (const force of [false, true]) {
      const [code, message] = await codeOf(clientOf().applyApp({ app: { ...desired, name: 'Mine now' }, source: from, force }));
      expect([code, message]).toEqual([Code.PermissionDenied, expect.stringContaining('APP_ENV_OPERATOR_INSTALLATIONS')]);
    }
    expect((await codeOf(clientOf().rollOutApp({ apply: { app: desired, source: from } })))[0]).toBe(Code.PermissionDenied);
    expect((await codeOf(clientOf().planApp({ app: desired, source: from })))[0]).toBe(Code.PermissionDenied);
    expect((await codeOf(clientOf().removeApp({ slug, source: from })))[0]).toBe(Code.PermissionDenied);
    expect((await codeOf(clientOf().reportApp({ slug, source: from, report: report() })))[0]).toBe(Code.PermissionDenied);
    expect((await codeOf(clientOf().getApiBaseline({ slug, source: from })))[0]).toBe(Code.PermissionDenied);
    const many = await clientOf().applyApps({ calls: [{ app: { ...desired, name: 'Mine now' }, source: from, force: true }] });
    const told = await clientOf().reportApps({ calls: [{ slug, source: from, report: report() }] });
    expect([many.answers[0]?.applied, told.answers[0]?.reported]).toEqual([undefined, undefined]);
    expect([await ownerOf(slug), (await main.listApps({ slug })).apps[0]?.app?.name]).toEqual(['eu', desired.name]);
  });

  it.each([
    ['the client of another one, under its own name', () => us, 'us'],
    ['the client that speaks for none, under a name of nobody', () => main, 'elsewhere'],
    ['the client that speaks for none, under no name', () => main, ''],
  ])('keeps its entries from %s, although it names the same object', async (_who, clientOf, installation) => {
    const { desired, from, slug } = await european();
    const claimed = { ...from, installation };
    for (const force of [false, true]) expect((await codeOf(clientOf().applyApp({ app: desired, source: claimed, force })))[0]).toBe(Code.AlreadyExists);
    expect(await clientOf().removeApp({ slug, source: claimed })).toMatchObject({ change: Change.UNCHANGED });
    expect(await clientOf().removeApp({ slug, source: claimed, orphan: true })).toMatchObject({ change: Change.UNCHANGED });
    expect((await codeOf(clientOf().reportApp({ slug, source: claimed, report: report() })))[0]).toBe(Code.AlreadyExists);
    expect(await ownerOf(slug)).toBe('eu');
  });

  it('touches nothing of others: entries of the platform\'s own operator, and those that name no installation', async () => {
    for (const installation of ['', 'home']) {
      const [desired, from] = [app(), source({ installation })];
      await main.applyApp({ app: desired, source: from });
      expect((await codeOf(eu.applyApp({ app: desired, source: from })))[0]).toBe(Code.PermissionDenied);
      expect((await codeOf(eu.applyApp({ app: desired, source: { ...from, installation: 'eu' } })))[0]).toBe(Code.AlreadyExists);
      expect(await eu.removeApp({ slug: desired.slug, source: { ...from, installation: 'eu' } })).toMatchObject({ change: Change.UNCHANGED });
      expect(await ownerOf(desired.slug)).toBe(installation);
    }
  });

  it('leaves a trace of each refusal, as an operator', async () => {
    const { slug, from } = await european();
    const { body } = await shell().as().post('/api/auth/service-token').send({ clientId: US.clientId, clientSecret: US.clientSecret }).expect(200);
    const answer = await fetch(`${shell().url}/api/registry.v1.AppRegistry/RemoveApp`, { method: 'POST', headers: { 'content-type': 'application/json', authorization: `Bearer ${body.data.accessToken}` }, body: JSON.stringify({ slug, source: { ...from, generation: '1' } }) });
    expect(answer.status).toBe(403);
    expect(await entriesOf(shell(), answer.headers.get('x-request-id') ?? '', 1)).toMatchObject([{ actorKind: 'operator', actorId: US.clientId, action: 'apps.remove', outcome: 'refused', reason: 'apps.foreign_installation' }]);
  });

  it('writes, reports and removes what is its own', async () => {
    const { desired, from, slug } = await european();
    expect(await eu.applyApp({ app: { ...desired, name: 'Next' }, source: { ...from, generation: 2n } })).toMatchObject({ change: Change.UPDATED });
    expect(await eu.reportApp({ slug, source: { ...from, generation: 2n }, report: report() })).toMatchObject({ written: true });
    expect(await eu.removeApp({ slug, source: { ...from, generation: 2n } })).toMatchObject({ change: Change.REMOVED });
  });

  it('changes hands by the configuration: the new client has its entries, the old one has ended', async () => {
    const { desired, from } = await european();
    const next = { ...EU, clientId: 'operator-eu-2', clientSecret: 'secret-of-the-next-cluster-in-europe' };
    const other = await shell().second(configured(next, US));
    const successor = await signedIn(other, next);
    expect(await successor.applyApp({ app: { ...desired, name: 'Handed over' }, source: { ...from, generation: 2n } })).toMatchObject({ change: Change.UPDATED });
    expect((await codeOf(eu.applyApp({ app: desired, source: { ...from, generation: 3n } })))[0]).toBe(Code.Unauthenticated);
    await other.stop();
  });
});

it('a list of installations that says one twice stops the start', async () => {
  for (const list of [[EU, { ...US, installation: 'eu' }], [EU, { ...US, clientId: EU.clientId }], [{ ...EU, clientSecret: 'short' }]]) {
    await expect(shell().second(configured(...list))).rejects.toThrow('APP_ENV_OPERATOR_INSTALLATIONS');
  }
});
