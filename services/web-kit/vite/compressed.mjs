import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

const TEXT = new Set(['.js', '.css', '.svg', '.json']);
/** Below it the headers weigh more than what is saved. */
const LEAST_BYTES = 1024;

/** Writes `name.gz` beside each file that gets smaller by it; servers send that to browsers that take it. */
export const compressed = () => {
  let folder = '';
  return {
    name: 'platform:compressed',
    apply: 'build',
    configResolved: (config) => void (folder = resolve(config.root, config.build.outDir)),
    writeBundle() {
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !TEXT.has(extname(entry.name))) continue;
        const path = join(entry.parentPath, entry.name);
        const content = readFileSync(path);
        if (content.length >= LEAST_BYTES) writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
};
