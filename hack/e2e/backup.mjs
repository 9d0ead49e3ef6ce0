// Backup and restore of a database by the commands of charts/README.md.
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, driveToken, kubectl, NAMESPACE, RELEASE, run, until, upload } from './tools.mjs';

const inDatabase = (command) => `kubectl exec -i -n ${NAMESPACE} ${RELEASE}-postgresql-0 -- sh -c 'PGPASSWORD=$POSTGRES_PASSWORD ${command}'`;
const shell = (command) => run('bash', ['-euo', 'pipefail', '-c', command]);

/** What was there is there again, and what came after the backup is not. */
export async function backupAndRestore() {
  const folder = await mkdtemp(join(tmpdir(), 'satellite-backup-'));
  try {
    const dump = join(folder, 'drive.dump');
    await upload(await driveToken(), 'before-backup.bin', Buffer.from('before'));
    await shell(`${inDatabase('pg_dump -h 127.0.0.1 -U postgres -Fc drive')} > ${dump}`);
    await upload(await driveToken(), 'after-backup.bin', Buffer.from('after'));
    await kubectl('scale', 'deployment', `${RELEASE}-drive`, '--replicas=0');
    await kubectl('wait', '--for=delete', 'pod', '-l', 'app.kubernetes.io/name=drive,app.kubernetes.io/component=server', '--timeout=120s');
    await shell(`${inDatabase('pg_restore -h 127.0.0.1 -U postgres --clean --if-exists --single-transaction -d drive')} < ${dump}`);
    await kubectl('scale', 'deployment', `${RELEASE}-drive`, '--replicas=2');
    await kubectl('rollout', 'status', `deployment/${RELEASE}-drive`, '--timeout=180s');
    const token = await driveToken();
    const names = await until('the list of files is not answered', async () => (await ask('GET', '/drive/api/files?q=-backup&limit=20', { token })).map(({ name }) => name).sort());
    if (names.join() !== 'before-backup.bin') throw new Error(`after the restore there are ${names.join(', ') || 'no files'}, not only before-backup.bin`);
    return `${(await stat(dump)).size} bytes of the database taken and put back: the file of before is there, that of after is not`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
