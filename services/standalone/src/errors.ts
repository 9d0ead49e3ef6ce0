import { AppError } from '@satellite/kit/core';

/** The port is taken or not ours to take. */
export class PortUnavailable extends AppError {
  readonly kind = 'conflict';
  readonly code = 'standalone.port_unavailable';
  constructor(port: number, reason: string) {
    super(`Port ${port} on 127.0.0.1 ${reason}. Choose another one: make run PORT=${port < 65535 ? port + 1 : 8080}`);
  }
}

/** The data folder cannot be made or written. */
export class DataFolderUnwritable extends AppError {
  readonly kind = 'precondition_failed';
  readonly code = 'standalone.data_folder_unwritable';
  constructor(folder: string, cause: NodeJS.ErrnoException) {
    super(`The data folder ${folder} cannot be written (${cause.message}). Make it writable for this user, or choose another one: make run DATA_DIR=/path/to/folder`, {}, { cause });
  }
}

/** The generated secrets are missing or unreadable although data depend on them. */
export class SecretsUnusable extends AppError {
  readonly kind = 'precondition_failed';
  readonly code = 'standalone.secrets_unusable';
  constructor(file: string, problem: string, folder: string) {
    super(`${file} ${problem}. The database of this data folder was made with it, and new secrets would not open it. Restore the file, or start empty after: mv '${folder}' '${folder}.old'`);
  }
}

/** Something the platform cannot live without has ended by itself. */
export class PartEnded extends AppError {
  readonly kind = 'unavailable';
  readonly code = 'standalone.part_ended';
  constructor(part: string, reason: string, log: string) {
    super(`${part} has ended: ${reason}. The platform stops; start it again to recover. Its log: ${log}`);
  }
}

/** A folder that shall be a satellite is none. */
export class SatelliteUnusable extends AppError {
  readonly kind = 'precondition_failed';
  readonly code = 'standalone.satellite_unusable';
  constructor(folder: string, cause: Error) {
    super(`The satellite in ${folder} cannot be started (${cause.message}). Its satelliteapp.yaml needs spec.slug, its package exports "satellite"; run make build after a change.`, {}, { cause });
  }
}

/** The databases are somebody else's, and one is not named. */
export class DatabaseMissing extends AppError {
  readonly kind = 'precondition_failed';
  readonly code = 'standalone.database_missing';
  constructor(variable: string) {
    super(`With DATABASE_URL every service needs a database of its own: set ${variable} as well.`);
  }
}
