import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { SAMPLE_MANIFESTS } from './index.js';

const FOLDER = join(import.meta.dirname, '..', '..', 'samples');

interface Container {
  init(scope: unknown): Promise<void>;
  get(module: string): Promise<() => { default: (props: object) => Element }>;
}
interface Element {
  readonly type: unknown;
  readonly props: Record<string, unknown> | null;
  readonly children: unknown[];
}

/** As much of React as a first rendering takes. */
const react = {
  createElement: (type: unknown, props: Record<string, unknown> | null, ...children: unknown[]): Element => ({ type, props, children }),
  useState: (value: unknown) => [value, () => undefined],
  useEffect: () => undefined,
  useCallback: (callback: unknown) => callback,
};
const shareScope = { react: { '18.3.0': { get: () => Promise.reject(new Error('old')) }, '19.2.0': { get: async () => () => react } } };

describe.each(Object.keys(SAMPLE_MANIFESTS))('the sample %s', (slug) => {
  const container = (): Promise<Container> => import(join(FOLDER, slug, 'ui', 'remoteEntry.js')) as Promise<Container>;

  it('is a federation container whose ./App renders with the newest React of the host', async () => {
    const remote = await container();
    await remote.init(shareScope);
    const { default: App } = (await remote.get('./App'))();
    const element = App({});
    expect(element).toMatchObject({ type: 'section', props: { 'aria-labelledby': `${slug}-title` } });
    await expect(remote.get('./Other')).rejects.toThrow('exposes ./App');
  });

  it('says the same in its manifest and in the descriptor beside its front-end', async () => {
    const { spec } = parse(await readFile(join(FOLDER, slug, 'manifest.yaml'), 'utf8')) as { spec: Record<string, unknown> };
    const descriptor = JSON.parse(await readFile(join(FOLDER, slug, 'ui', 'satellite.json'), 'utf8')) as Record<string, unknown>;
    const { organizations, metadata, ...shared } = spec;
    expect(descriptor).toEqual(shared);
    expect(organizations).toMatchObject({ mode: 'Listed' });
    expect(metadata).toEqual({ origin: 'sample' });
    expect(shared).toMatchObject({ slug, apiUrl: `/samples/${slug}/api`, uiUrl: `/samples/${slug}/ui` });
  });

  it('describes every route of its API', async () => {
    const document = JSON.parse(await readFile(join(FOLDER, slug, 'openapi.json'), 'utf8')) as { openapi: string; paths: Record<string, { get: { operationId: string; summary: string; responses: object } }> };
    expect(document.openapi).toBe('3.0.3');
    expect(Object.keys(document.paths)).toContain('/health');
    for (const { get } of Object.values(document.paths)) expect(get).toMatchObject({ operationId: expect.any(String), summary: expect.any(String), responses: { 200: {} } });
  });
});
