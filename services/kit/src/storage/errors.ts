import { AppError } from '../core/index.js';

/** The store is there and cannot do it, or is not there. The cause is for the log alone. */
export class StoreFailed extends AppError {
  readonly kind = 'failed';
  readonly code = 'storage.failed';
  constructor(cause: unknown) {
    super('The file storage does not do its work at the moment. Try again.', {}, { cause });
  }
}

/** Longer than it may be. */
export class ObjectTooLarge extends AppError {
  readonly kind = 'too_large';
  readonly code = 'storage.too_large';
  constructor(maxBytes: number) {
    super(`The content has more than ${maxBytes} bytes, the most that is taken.`, { maxBytes });
  }
}

/** There is no such object although somebody relies on it. */
export class ObjectMissing extends AppError {
  readonly kind = 'failed';
  readonly code = 'storage.object_missing';
  constructor() {
    super('The content of this file cannot be found at the moment.');
  }
}

const KEY = /^[a-z0-9][a-z0-9-]*(\/[a-z0-9][a-z0-9-]*)*$/;
const MAX_KEY = 200;

/** A key that is not of our making would be a path of somebody else's. */
export function assertKey(key: string): void {
  if (key.length > MAX_KEY || !KEY.test(key)) throw new TypeError(`"${key.slice(0, 80)}" is not a key of an object`);
}
