import { ReconciledApp } from '../../../test/support/reconciled-app.js';
import { RegistryDouble } from '../../../test/support/registry-double.js';
import { MINUTE, minimal, NEW, OLD, underWay } from '../../../test/support/roll-out-specs.js';

/** An app with a front-end, looked at by one process. */
async function app(): Promise<ReconciledApp> {
  const made = new ReconciledApp(new RegistryDouble(), 'drive', { ...minimal, uiUrl: OLD });
  made.stays = true;
  await made.reconcile();
  return made;
}
const digests = ({ status }: ReconciledApp) => status.history?.map(({ uiDigest }) => uiDigest);

describe('a front-end that is another one although its object is the same', () => {
  it('is a new one when two looks in a row find it', async () => {
    const made = await app();
    const [first] = digests(made) ?? [];
    made.frontEnd = () => 'export { a };';
    await made.reconcile(10 * MINUTE);
    expect(made.status.uiDigest).toBe(first);
    await made.reconcile(10 * MINUTE);
    const second = made.status.uiDigest;
    expect([second === first, digests(made)]).toEqual([false, [second, first]]);
    const { statusWrites } = made;
    for (let n = 0; n < 3; n += 1) await made.reconcile(10 * MINUTE);
    expect(made.statusWrites).toBe(statusWrites);
  });

  it('is a new one at once when the object changed', async () => {
    const made = await app();
    made.frontEnd = () => 'export { a };';
    made.change({ version: '2.0.0' });
    await made.reconcile();
    expect(digests(made)).toHaveLength(2);
    expect(made.status.uiDigest).toBe(digests(made)?.[0]);
  });

  it('is a new one at once when the first looks at a changed object failed, as while its pods start', async () => {
    const made = await app();
    const [first] = digests(made) ?? [];
    made.frontEnd = () => 'export { a };';
    made.change({ version: '2.0.0' });
    made.down.add(OLD);
    for (let n = 0; n < 2; n += 1) expect((await made.reconcile(MINUTE)).reason).toBe('UIUnreachable');
    made.down.clear();
    await made.reconcile(MINUTE);
    expect(made.condition('Ready')?.status).toBe('True');
    expect([made.status.uiDigest === first, digests(made)]).toEqual([false, [made.status.uiDigest, first, first]]);
  });

  it('is the earlier one at once when a rollback goes back to it', async () => {
    const made = await underWay(new RegistryDouble());
    const stable = made.status.uiDigest;
    made.stays = true;
    made.frontEnd = (url) => (url.startsWith(NEW) ? 'export { a };' : 'export {};');
    for (let n = 0; n < 2; n += 1) await made.reconcile(1000);
    const candidate = made.status.uiDigest;
    made.down.add(NEW);
    while (made.status.rollout?.phase !== 'RolledBack') await made.reconcile(1000);
    expect([candidate === stable, made.status.uiDigest]).toEqual([false, candidate]);
    await made.reconcile(1000);
    expect([made.status.uiDigest, digests(made)?.[0]]).toEqual([stable, stable]);
  });

  it('is none when every look finds another: the condition says so, and nothing is written for it', async () => {
    const made = await app();
    const known = made.status.uiDigest;
    let served = 0;
    made.frontEnd = () => `export const at = ${(served += 1)};`;
    for (let n = 0; n < 2; n += 1) await made.reconcile(10 * MINUTE);
    expect(made.condition('UIReachable')).toMatchObject({ status: 'True', reason: 'UIChanging', message: expect.stringContaining('serve the same file') });
    expect(made.condition('Ready')?.status).toBe('True');
    const { statusWrites } = made;
    for (let n = 0; n < 10; n += 1) await made.reconcile(10 * MINUTE);
    expect([made.statusWrites, made.status.uiDigest, digests(made)]).toEqual([statusWrites, known, [known]]);
    made.stays = false;
    for (let n = 0; n < 3; n += 1) await made.reconcile(10 * MINUTE);
    expect(made.statusWrites).toBe(statusWrites);
    made.stays = true;
    made.frontEnd = () => 'export { settled };';
    for (let n = 0; n < 2; n += 1) await made.reconcile(10 * MINUTE);
    expect([made.condition('UIReachable')?.reason, made.status.uiDigest === known]).toEqual(['UIFound', false]);
  });

  it('is none when two are served in turn, as by two versions behind one address', async () => {
    const made = await app();
    const known = made.status.uiDigest;
    let served = 0;
    made.frontEnd = () => ((served += 1) % 2 === 0 ? 'export {};' : 'export { other };');
    const { statusWrites } = made;
    for (let n = 0; n < 10; n += 1) await made.reconcile(10 * MINUTE);
    expect([made.statusWrites, made.status.uiDigest]).toEqual([statusWrites, known]);
  });
});
