import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';

const root = resolve(dirname(__filename), '../../../../..');
export const chartFolder = (chart: string): string => join(root, 'charts', chart);

/** Both are in use: what one takes the other may refuse. */
export const HELMS = ['helm', 'helm3'] as const;
export type HelmName = (typeof HELMS)[number];

/** A chart that people install, with the files of values it is tried with. */
export const CASES: readonly { readonly chart: string; readonly values: string; readonly file: string }[] = ['shell', 'drive', 'operator', 'platform'].flatMap((chart) => {
  const folders = chart === 'platform' ? ['hack/charts/values/platform', 'charts/platform/examples'] : ['hack/charts/values/service'];
  return folders.flatMap((folder) => readdirSync(join(root, folder)).sort().map((file) => ({ chart, values: file.replace('.yaml', ''), file: join(root, folder, file) })));
});

export interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program of `make tools`; answers whatever it says. */
export function tool(name: string, args: readonly string[], input?: string): Promise<Answer> {
  const program = join(process.env['SATELLITE_TOOLS'] ?? join(root, '.tools/bin'), name);
  if (!existsSync(program)) throw new Error(`${program} is missing: run make tools.`);
  return new Promise((answer) => {
    const child = execFile(program, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      answer({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr: withoutLinks(stderr) });
    });
    child.stdin?.end(input);
  });
}

/** The charts' dependencies are links; Helm says so each time. */
const withoutLinks = (text: string): string => text.split('\n').filter((line) => !line.includes('found symbolic link')).join('\n');

/** An object of Kubernetes, as far as these tests look into it. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: Record<string, string>; readonly annotations?: Record<string, string> };
  readonly spec?: Record<string, unknown>;
  readonly data?: Record<string, string>;
  readonly stringData?: Record<string, string>;
}

export interface PodTemplate {
  readonly metadata?: { readonly labels?: Record<string, string> };
  readonly spec: { readonly containers: readonly Container[]; readonly initContainers?: readonly Container[]; readonly volumes?: readonly object[] };
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: { readonly secretKeyRef?: { readonly name: string; readonly key: string } } }[];
}

/** Renders a chart as Helm would install it into a namespace; both versions are told the same about the cluster. */
export async function template(helm: HelmName, chart: string, more: readonly string[] = []): Promise<Answer> {
  return tool(helm, ['template', 'trial', chartFolder(chart), '--namespace', 'trial', '--kube-version', 'v1.36.0', ...more]);
}

/** The objects of a chart; fails with what Helm says. */
export async function render(chart: string, more: readonly string[] = [], helm: HelmName = 'helm'): Promise<KubeObject[]> {
  const { code, stdout, stderr } = await template(helm, chart, more);
  if (code !== 0) throw new Error(stderr);
  return objectsIn(stdout);
}

export function objectsIn(text: string): KubeObject[] {
  return parseAllDocuments(text).map((document) => document.toJS() as KubeObject | null).filter((object): object is KubeObject => object !== null);
}

/** The pods that an object makes, or is; volumes that would be claimed are empty folders. */
export function podsOf({ kind, spec = {} }: KubeObject): PodTemplate[] {
  if (kind === 'Pod') return [{ spec } as unknown as PodTemplate];
  if (!['Deployment', 'StatefulSet', 'Job'].includes(kind)) return [];
  const pod = spec['template'] as PodTemplate;
  const claims = (spec['volumeClaimTemplates'] ?? []) as { metadata: { name: string } }[];
  return [{ ...pod, spec: { ...pod.spec, volumes: [...(pod.spec.volumes ?? []), ...claims.map(({ metadata: { name } }) => ({ name, emptyDir: {} }))] } }];
}

export const containersOf = ({ spec }: PodTemplate): readonly Container[] => [...(spec.initContainers ?? []), ...spec.containers];

/** The object of a kind and name. */
export function find(objects: readonly KubeObject[], kind: string, name: string): KubeObject {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
  if (!found) throw new Error(`no ${kind} ${name} among ${objects.map((object) => `${object.kind} ${object.metadata.name}`).join(', ')}`);
  return found;
}

/** `--set` for each of them. */
export const set = (...values: readonly string[]): string[] => values.flatMap((value) => ['--set', value]);

/** The least that the umbrella chart has to be told. */
export const EVALUATION = set('global.publicUrl=https://platform.test', 'global.postgresql.mode=bundled', 'global.cache.mode=bundled', 'global.objectStore.mode=bundled');
