import { messageOf } from '@satellite/kit/core';
import { processEnvironment, readStoredDataAccess } from '../env.js';
import { auditVerification, reportVerification } from '../modules/audit/index.js';
import { openDatabase } from '../shell.js';

/** Reads the whole audit trail and says where it is not what was written. Exit code 1: something is wrong with it; 2: it cannot be read. */
async function main(): Promise<void> {
  const { url, keyEncryptionKey } = readStoredDataAccess(processEnvironment());
  const db = openDatabase(url);
  try {
    process.exitCode = await reportVerification(auditVerification(db, keyEncryptionKey), (line) => void process.stdout.write(`${line}\n`));
  } finally {
    await db.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 2;
});
