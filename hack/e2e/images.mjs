// Builds the images and brings them into the cluster. How, depends on the cluster: IMAGE_COMMAND is called as
//   $IMAGE_COMMAND NAME CONTEXT [-f FILE] [--build-arg KEY=VALUE …]
// and has to leave NAME where the nodes find it; without it, kind and k3d clusters are served by docker.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { buildArguments, IMAGES } from '../docker/images.mjs';
import { NODE_IMAGE, run } from './tools.mjs';

export const TAG = 'e2e';
export const NEXT_TAG = 'e2e-next';
const HERE = import.meta.dirname;
const ROOT = join(HERE, '../..');
const STORES = { postgresql: 'docker.io/library/postgres:18', cache: 'docker.io/library/redis:7', objectStore: 'docker.io/minio/minio:e2e', notes: 'docker.io/example/notes:e2e' };

/** Builds all of them; `say` hears which one is next. */
export async function buildImages(say) {
  const build = await imageCommand();
  for (const { name, args } of IMAGES) {
    say(`image ${name}`);
    await build(`docker.io/${name}:${TAG}`, ROOT, args);
  }
  say('image of the next Drive');
  await build(`docker.io/satellite/drive:${NEXT_TAG}`, join(HERE, 'images/next'), { DRIVE_IMAGE: `docker.io/satellite/drive:${TAG}` });
  for (const [folder, name] of [['postgres', STORES.postgresql], ['redis', STORES.cache], ['notes', STORES.notes]]) {
    say(`image ${name}`);
    await build(name, join(HERE, 'images', folder), {});
  }
  say(`image ${STORES.objectStore}`);
  const context = await mkdtemp(join(tmpdir(), 'minio-image-'));
  try {
    await cp(join(HERE, 'images/minio'), context, { recursive: true });
    await cp(join(ROOT, '.tools/bin/minio'), join(context, 'minio'));
    await build(STORES.objectStore, context, {});
  } finally {
    await rm(context, { recursive: true, force: true });
  }
}

async function imageCommand() {
  const withArgs = (args) => buildArguments({ NODE_IMAGE, ...args });
  if (env.IMAGE_COMMAND) {
    const [program, ...first] = env.IMAGE_COMMAND.split(' ');
    return (name, context, args) => run(program, [...first, name, context, ...withArgs(args)]);
  }
  const context = await run('kubectl', ['config', 'current-context']);
  const load = /^kind-/.test(context) ? (name) => run('kind', ['load', 'docker-image', name, '--name', context.slice(5)])
    : /^k3d-/.test(context) ? (name) => run('k3d', ['image', 'import', name, '-c', context.slice(4)]) : undefined;
  if (!load) throw new Error(`How images come into the cluster "${context}" is not known: set IMAGE_COMMAND to a program that takes NAME CONTEXT --build-arg KEY=VALUE, builds, and pushes or loads.`);
  return async (name, folder, args) => {
    await run('docker', ['build', '-q', '-t', name, ...withArgs(args), folder]);
    await load(name);
  };
}
