import { AppError } from '../core/index.js';

/** Another run of the job has not ended. */
export class JobIsRunning extends AppError {
  readonly kind = 'conflict';
  readonly code = 'jobs.is_running';
  constructor(name: string) {
    super(`The job "${name}" is running. Try again when it has ended.`, { job: name });
  }
}

export class JobNotFound extends AppError {
  readonly kind = 'not_found';
  readonly code = 'jobs.not_found';
  constructor(name: string, known: readonly string[]) {
    super(`There is no job "${name.slice(0, 64)}". There are: ${known.join(', ')}.`);
  }
}
