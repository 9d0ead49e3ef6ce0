// Gathers what the image of a service holds beside its packages: node hack/docker/image-files.mjs services/drive /image
// Compiled code of the service and of what it is made of, its front-end, and one name for the program to start.
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const [service = '', target = ''] = parseArgs({ allowPositionals: true }).positionals;
if (!existsSync(join(service, 'package.json')) || target === '') {
  console.error(`image-files: "${service}" is not a service. Build with --build-arg SERVICE=services/shell, for example.`);
  process.exit(1);
}
/** Where the program of a service is: in a bundle, or where its compiler puts it. */
const MAIN = ['dist/bundle/main.js', 'dist/src/main.js', 'dist/main.js'].find((path) => existsSync(join(service, path)));
const FILES = [
  'package.json', 'proto/package.json', 'proto/dist', 'services/kit/package.json', 'services/kit/dist',
  ...['package.json', 'dist', 'web/dist', 'satelliteapp.yaml'].map((path) => join(service, path)).filter((path) => existsSync(path)),
];
for (const file of FILES) cpSync(file, join(target, file), { recursive: true });
for (const folder of ['proto/dist', 'services/kit/dist', `${service}/dist`]) rmSync(join(target, folder, '.tsbuildinfo'), { force: true });
mkdirSync(join(target, service), { recursive: true });
symlinkSync(MAIN, join(target, service, 'main.js'));
cpSync('hack/docker/healthcheck.mjs', join(target, 'healthcheck.mjs'));
