import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const SERVICES = fileURLToPath(new URL('../../../../services', import.meta.url));
/** The first load of the Shell, from nothing to the launchpad. */
export const SHELL_LIMIT = 400_000;
/** All that a remote brings itself. */
export const REMOTE_LIMIT = 150_000;

interface ManifestChunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
  readonly isDynamicEntry?: boolean;
}

/** Scripts and styles of a build, and what they weigh on their way. */
export interface Weight {
  /** Below the folder of the build. */
  readonly files: readonly string[];
  readonly bytes: number;
  /** As by `gzip -6`. */
  readonly gzipped: number;
}

/** What the sign-in page and then the launchpad load: pages come when they are opened, and Mantine for remotes with the first one. */
export function firstLoadOfShell(): Weight {
  const folder = distOf('shell');
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Readonly<Record<string, ManifestChunk>>;
  const named = [...readFileSync(join(folder, 'index.html'), 'utf8').matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map(([, file]) => file ?? '');
  const files = new Set(named);
  const seen = new Set<string>();
  const follow = (key: string): void => {
    const chunk = manifest[key];
    if (chunk === undefined || seen.has(key)) return;
    seen.add(key);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const next of [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? []).filter((name) => !comesLater(name))]) follow(next);
  };
  for (const [key, { file, isDynamicEntry }] of Object.entries(manifest)) if (files.has(file) || (key.startsWith('virtual:') && isDynamicEntry !== true)) follow(key);
  return weigh(folder, [...files]);
}

const comesLater = (key: string): boolean => key.startsWith('src/') || key.endsWith('/web-kit/src/mantine.ts');

/** Everything that a satellite's front-end consists of, by slug. */
export function remotes(): ReadonlyMap<string, Weight> {
  const slugs = globSync('*/web/vite.config.ts', { cwd: SERVICES }).map((file) => file.split('/')[0] ?? '').filter((slug) => slug !== 'shell').sort();
  return new Map(slugs.map((slug) => [slug, weigh(distOf(slug), globSync('**/*.{js,css}', { cwd: distOf(slug) }))]));
}

/** The built front-end of a service. */
export function distOf(slug: string): string {
  const folder = join(SERVICES, slug, 'web', 'dist');
  if (!existsSync(folder)) throw new Error(`${folder} is missing. Run: make build`);
  return folder;
}

function weigh(folder: string, files: readonly string[]): Weight {
  const contents = files.map((file) => readFileSync(join(folder, file)));
  const sum = (size: (content: Buffer) => number): number => contents.reduce((total, content) => total + size(content), 0);
  return { files, bytes: sum(({ length }) => length), gzipped: sum((content) => gzipSync(content, { level: 6 }).length) };
}
