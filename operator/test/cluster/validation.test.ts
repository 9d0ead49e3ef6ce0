import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { SATELLITE_APP, SATELLITE_APP_SPEC_SCHEMA } from '../../src/controllers/satellite-app/satellite-app.js';
import { ManifestReader, parseManifests } from '../../src/sources/directory/manifest.js';
import { CRD, Fixture, SAMPLES } from './support/fixture.js';

jest.setTimeout(60_000);

/** What each refused sample must be told, by the API server; the folder source says the same rule in its own words. */
const MESSAGES: Readonly<Record<string, string>> = {
  'api-url-credentials.yaml': 'must not carry credentials',
  'api-url-missing.yaml': 'spec.apiUrl: Required value',
  'api-url-scheme.yaml': 'must be an absolute http or https URL',
  'interval-bounds.yaml': 'must be between 10s and 24h',
  'limit-prefix.yaml': "every limit key must begin with the app's own slug",
  'name-length.yaml': 'spec.name',
  'permission-prefix.yaml': "every permission code must begin with the app's own slug",
  'rollout-no-steps.yaml': 'spec.rollout.steps',
  'rollout-percent-bounds.yaml': 'spec.rollout.steps[0].percent',
  'rollout-probe-interval.yaml': 'must be between 1s and 1h',
  'rollout-repeated-share.yaml': 'percent must grow from one entry to the next',
  'rollout-soak-bounds.yaml': 'must be between 1s and 720h',
  'slug-form.yaml': 'spec.slug',
  'slugs-without-listed.yaml': 'slugs is read only with mode Listed',
  'status-value.yaml': 'supported values: "active", "inactive", "degraded", "maintenance"',
  'ui-url-protocol-relative.yaml': 'must not begin with //',
  'unknown-field.yaml': 'unknown field "spec.apiurl"',
  'waves-shrinking.yaml': 'percent must grow from one entry to the next',
  'waves-with-listed.yaml': 'waves lead to all organizations',
};

describe('what the API server refuses', () => {
  let fixture: Fixture;
  const reader = new ManifestReader(SATELLITE_APP, SATELLITE_APP_SPEC_SCHEMA);

  beforeAll(async () => {
    fixture = await Fixture.open('validation');
  });
  afterAll(() => fixture.close());

  it('is described for every sample', () => {
    expect(readdirSync(join(SAMPLES, 'refused')).sort()).toEqual(Object.keys(MESSAGES).sort());
  });

  it.each(Object.entries(MESSAGES))('%s, and so does the folder source', async (file, message) => {
    const path = join(SAMPLES, 'refused', file);
    const { code, stderr } = await fixture.cluster.try(['apply', '-n', 'validation', '-f', path]);
    expect(code).not.toBe(0);
    expect(stderr).toContain(message);
    const [document] = parseManifests(await readFile(path, 'utf8'));
    if (!document) throw new Error(`${file} is empty`);
    expect(reader.read(document, undefined).problems).not.toEqual([]);
  });

  it.each(['minimal.yaml', 'full.yaml', 'stalled/slug-conflict.yaml', 'waiting/ui-unreachable.yaml', 'rolling-out/waves.yaml', 'rolling-out/1-stable.yaml', 'rolling-out/2-paused.yaml', 'rolling-out/3-progressing-or-rolled-back.yaml'])('is not %s', async (file) => {
    const path = join(SAMPLES, file);
    await fixture.cluster.kubectl(['create', '--dry-run=server', '-n', file.startsWith('stalled') ? 'default' : 'validation', '-f', path]);
    for (const document of parseManifests(await readFile(path, 'utf8'))) expect(reader.read(document, undefined).problems).toEqual([]);
  });

  it('is a change of the slug', async () => {
    await fixture.cluster.apply(fixture.app('fixed'));
    const { stderr } = await fixture.cluster.try(['apply', '-f', '-'], fixture.app('fixed', { slug: 'other' }));
    expect(stderr).toContain('slug cannot change; delete this object and create one with the new slug');
  });

  it('is nothing that defaults can fill in, with the same defaults in both sources', async () => {
    const text = await readFile(join(SAMPLES, 'minimal.yaml'), 'utf8');
    const stored = JSON.parse(await fixture.cluster.kubectl(['create', '--dry-run=server', '-n', 'validation', '-o', 'json', '-f', '-'], text)) as { spec: unknown; status: unknown };
    const [document] = parseManifests(text);
    expect(stored.spec).toEqual(document && reader.read(document, undefined).manifest.spec);
    expect(stored.status).toEqual({ observedGeneration: -1 });
  });

  it('is explained: every field of the schema has a description', async () => {
    const crd = parse(await readFile(CRD, 'utf8')) as { spec: { versions: { schema: { openAPIV3Schema: Node } }[] } };
    type Node = { description?: string; properties?: Record<string, Node>; items?: Node };
    const bare: string[] = [];
    const visit = (node: Node, path: string): void => {
      if (node.description === undefined && path !== '.metadata') bare.push(path);
      for (const [name, child] of Object.entries(node.properties ?? {})) visit(child, `${path}.${name}`);
      if (node.items) visit(node.items, `${path}[]`);
    };
    visit(crd.spec.versions[0]?.schema.openAPIV3Schema ?? {}, '');
    expect(bare).toEqual([]);
  });
});
