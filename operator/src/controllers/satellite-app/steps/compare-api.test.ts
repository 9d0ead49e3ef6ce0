import { gzipSync } from 'node:zlib';
import { Code, ConnectError } from '@connectrpc/connect';
import { Waiting } from '../../../runtime/errors.js';
import { ACCEPT_API_CHANGES } from '../api/acceptance.js';
import { surfaceDigest, surfaceOf, surfaceText } from '../api/surface.js';
import { Run, type ServedApi, type StepTools } from '../run.js';
import type { SatelliteApp } from '../satellite-app.js';
import { compareApi, holdBackBreaks, planCompatible, requireCompatible } from './compare-api.js';

const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const served = (properties: object, schemas: object = {}): ServedApi => {
  const surface = surfaceOf({ openapi: '3.0.0', paths: { '/notes': { get: { responses: { 200: json({ type: 'object', properties }) } } } }, components: { schemas } });
  const text = surfaceText(surface);
  return { surface, text, digest: surfaceDigest(text) };
};
const STRING = { type: 'string' };
const OLD = served({ id: STRING, text: STRING });
const BROKEN = served({ id: STRING });
/** Composed of each other without end. */
const ENDLESS = served({ id: { $ref: '#/components/schemas/S0' } }, Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`S${at}`, { allOf: [{ $ref: `#/components/schemas/S${at + 1}` }, STRING] }])));

interface Case {
  readonly now?: ServedApi;
  readonly annotation?: string;
  readonly version?: string;
  readonly before?: ServedApi;
  readonly content?: Uint8Array;
  readonly refusal?: Error;
  readonly status?: object;
}

function runOf({ now = BROKEN, annotation, version = '1.0.1', before = OLD, content = gzipSync(before.text), refusal, status = {} }: Case) {
  const asked: string[] = [];
  const getApiBaseline = async () => {
    asked.push('baseline');
    if (refusal !== undefined) throw refusal;
    return { api: { digest: before.digest, content, version: '1.0.0' } };
  };
  const tools = { registry: { getApiBaseline }, clock: { now: () => 0 }, apps: { events: { record: () => undefined } } } as unknown as StepTools;
  const metadata = { name: 'notes', namespace: 'apps', uid: 'u', generation: 2, ...(annotation && { annotations: { [ACCEPT_API_CHANGES]: annotation } }) };
  const app = { metadata, spec: { slug: 'notes', mode: 'Enforce', version, organizations: { mode: 'All' } }, status: { observedGeneration: 1, registry: { generation: 1 }, api: { digest: before.digest, version: '1.0.0' }, ...status } } as unknown as SatelliteApp;
  const run = new Run(app, tools, new AbortController().signal, []);
  run.servedApi = now;
  return { run, asked };
}
const compatible = (run: Run) => run.conditions.find(({ type }) => type === 'APICompatible');

describe('the API of an app is compared', () => {
  it('and a break holds back the change; the way out names what was read', async () => {
    const { run } = runOf({});
    await compareApi(run);
    expect(compatible(run)).toMatchObject({ status: 'False', reason: 'BreakingChanges' });
    expect(compatible(run)?.message).toContain(`${ACCEPT_API_CHANGES}=${BROKEN.digest}`);
    expect(() => holdBackBreaks(run)).toThrow('breaks its users');
    expect(run.newBaseline).toBeUndefined();
  });

  it('and a plan says that the change would be held back, with the same way out', async () => {
    const { run } = runOf({});
    await compareApi(run);
    expect(() => planCompatible(run)).toThrow(/^Mode Enforce would be held back and leave the registry as it is\. .*breaks its users.*accept-api-changes=sha256:/);
    const { run: well } = runOf({ now: OLD });
    await compareApi(well);
    planCompatible(well);
  });

  it.each<[string, Case, string]>([
    ['is too much work', { now: ENDLESS, before: served({ id: { $ref: '#/components/schemas/S0' } }, { S0: STRING }) }, 'composed of each other'],
    ['has a baseline that is no archive', { content: new Uint8Array([1, 2, 3]) }, 'incorrect header'],
    ['has a baseline that is too large', { content: gzipSync('x'.repeat(5 * 1024 * 1024)) }, 'larger than'],
    ['has a baseline that is no surface', { content: gzipSync('null') }, 'null'],
    ['has a baseline that the Shell does not give', { refusal: new ConnectError('too large', Code.ResourceExhausted) }, 'too large'],
    ['has a baseline that the Shell refuses', { refusal: new ConnectError('no', Code.InvalidArgument) }, 'no'],
  ])('and what %s holds back nothing, keeps the baseline and says what to do', async (_what, given, detail) => {
    const { run } = runOf(given);
    await compareApi(run);
    expect(compatible(run)).toMatchObject({ status: 'Unknown', reason: 'NotCompared' });
    expect(compatible(run)?.message).toContain(detail);
    expect(compatible(run)?.message).toContain(`${ACCEPT_API_CHANGES}=${run.servedApi?.digest}`);
    expect(run.newBaseline).toBeUndefined();
    holdBackBreaks(run);
    requireCompatible(run);
  });

  it.each<[string, Case]>([
    ['the annotation that names what is served', { annotation: ENDLESS.digest }],
    ['the annotation that names the version', { annotation: '1.0.1' }],
    ['a new major version', { version: '2.0.0' }],
    ['a roll-back', { version: '0.9.0' }],
  ])('but not for %s', async (_what, given) => {
    const { run, asked } = runOf({ now: ENDLESS, refusal: new Error('nobody asks'), ...given });
    await compareApi(run);
    expect(asked).toEqual([]);
    expect(run.newBaseline?.digest).toBe(ENDLESS.digest);
    expect(compatible(run)).toMatchObject({ status: 'True' });
  });

  it('but not again what was found before, and accepting it says so', async () => {
    const apiBreaks = [{ where: 'GET /notes', what: 'is no longer there' }];
    const { run, asked } = runOf({ annotation: BROKEN.digest, status: { api: { digest: OLD.digest, served: BROKEN.digest }, apiBreaks } });
    await compareApi(run);
    expect(asked).toEqual([]);
    expect(compatible(run)).toMatchObject({ status: 'True', reason: 'BreakingChangesAccepted' });
  });

  it('later, when the Shell is away', async () => {
    const { run } = runOf({ refusal: new ConnectError('down', Code.Unavailable) });
    await expect(compareApi(run)).rejects.toThrow(Waiting);
  });
});
