import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LONG, Runs } from '../support/runs.js';

const MANIFEST = `apiVersion: platform.satellite.io/v1alpha1
kind: SatelliteApp
metadata: { name: notes }
spec: { slug: notes, name: Notes, type: satellite, apiUrl: /samples/hello/api, uiUrl: /samples/hello/ui, version: 1.0.0 }
`;

describe('a platform that is started again', () => {
  let runs: Runs;
  beforeEach(async () => {
    runs = await Runs.make();
  });
  afterEach(() => runs.end());

  it('has taken dropped and deleted manifests in, stopped in order, and keeps everything over a restart', async () => {
    const first = await runs.startReady();
    await rm(join(runs.folder, 'satellites', 'hello.yaml'));
    await writeFile(join(runs.folder, 'satellites', 'notes.yaml'), MANIFEST);
    await first.lists(['drive', 'notes', 'status-board']);
    expect(await readdir(join(runs.folder, 'satellites'))).toEqual(expect.arrayContaining(['notes.yaml.status.yaml']));
    expect(await first.stop()).toBe(0);
    expect(first.output).toMatch(/stopping operator.*stopping HTTP.*stopping drive.*stopping Shell.*stopping Redis.*stopping PostgreSQL.*Stopped/s);

    const second = await (await runs.start()).says('Ctrl-C stops everything');
    expect(/Password +(\S+)/.exec(second.output)?.[1]).toBe(/Password +(\S+)/.exec(first.output)?.[1]);
    expect(second.output).not.toContain('creating the database');
    await second.lists(['drive', 'notes', 'status-board']);
    expect(await second.stop()).toBe(0);
  }, LONG);

  it('heals what a killed run left behind', async () => {
    const first = await runs.startReady();
    first.child.kill('SIGKILL');
    await first.ended;
    const second = await runs.startReady();
    expect(second.output).toContain('stopping the PostgreSQL server a killed run left behind');
    expect(await second.stop()).toBe(0);
  }, LONG);
});
