import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cluster } from '../../../../operator/test/cluster/support/cluster.js';
import { CASES, chartFolder, template, tool } from './support/helm.js';
import { writeSchemas } from './support/schemas.js';

describe('the library', () => {
  it('makes of one line and a few values what a satellite needs: the suites of helm-unittest', async () => {
    const { code, stdout } = await tool('helm-unittest', ['--file', 'unit/*_test.yaml', join(chartFolder('..'), 'hack/charts/consumer')]);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/Tests: +3\d passed/) as string });
  });
});

describe('kubeconform', () => {
  let folder: string;
  let schemas: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'satellite-schemas-'));
    schemas = await writeSchemas(await Cluster.open(), folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const check = (manifests: string) => tool('kubeconform', ['-strict', '-summary', '-output', 'json', '-schema-location', schemas, '-skip', 'HTTPRoute,ServiceMonitor,PrometheusRule,HealthCheckPolicy,Cluster', '-'], manifests);

  it.each(CASES)('knows every field of $chart with $values', async ({ chart, file }) => {
    const { code, stdout } = await check((await template('helm', chart, ['--values', file])).stdout);
    expect({ code, ...(JSON.parse(stdout) as object) }).toMatchObject({ code: 0, summary: { invalid: 0, errors: 0 } });
  });

  it('would not let a mistyped field through', async () => {
    const { code, stdout } = await check('{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a"},"spec":{"replica":1,"selector":{},"template":{}}}');
    expect(code).not.toBe(0);
    expect(stdout).toContain('replica');
  });
});
