// The platform's own images, and what each is built with. `node hack/docker/images.mjs TAG` builds them with docker.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Those it is measured with. */
const operatorFlags = JSON.parse(readFileSync(join(import.meta.dirname, '../../operator/package.json'), 'utf8')).scripts.start.match(/--\S+/g).join(' ');

/** Node's flags: a small young generation frees chunks of files that have passed at once instead of after 64 MB of them. */
export const IMAGES = [
  { name: 'satellite/shell', args: { SERVICE: 'services/shell' } },
  { name: 'satellite/drive', args: { SERVICE: 'services/drive', NODE_FLAGS: '--enable-source-maps --max-semi-space-size=1' } },
  { name: 'satellite/operator', args: { SERVICE: 'operator', PORT: '8081', NODE_FLAGS: operatorFlags } },
];

export const buildArguments = (args) => Object.entries(args).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`]);

if (process.argv[1] === import.meta.filename) {
  const [tag = 'dev'] = process.argv.slice(2);
  const root = join(import.meta.dirname, '../..');
  const revision = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout.trim();
  for (const { name, args } of IMAGES) {
    const { status, error } = spawnSync('docker', ['build', '-t', `${name}:${tag}`, ...buildArguments({ ...args, VERSION: tag, REVISION: revision }), root], { stdio: 'inherit' });
    if (error) console.error(`docker cannot be run: ${error.message}`);
    if (status !== 0) process.exit(1);
  }
}
