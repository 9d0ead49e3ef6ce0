import { AppError } from '@satellite/kit/core';

export class FileNotFound extends AppError {
  readonly kind = 'not_found';
  readonly code = 'files.not_found';
  constructor() {
    super('There is no such file.');
  }
}

export class FileNameInUse extends AppError {
  readonly kind = 'conflict';
  readonly code = 'files.name_in_use';
  constructor(name: string) {
    super(`There is a file "${name}" in this place already. Choose another name.`, { name });
  }
}

/** Who is no administrator changes what is their own. */
export class FileOfSomebodyElse extends AppError {
  readonly kind = 'forbidden';
  readonly code = 'files.not_yours';
  constructor() {
    super('Somebody else uploaded this file. They or an administrator can change it.');
  }
}

/** Section 8 of the interface. */
export class FileTooLarge extends AppError {
  readonly kind = 'too_large';
  readonly code = 'files.too_large';
  constructor(maxBytes: number) {
    super(`The file is too large: at most ${maxBytes} bytes are taken.`, { maxBytes });
  }
}

/** The request is not what an upload looks like. */
export class MalformedUpload extends AppError {
  readonly kind = 'invalid';
  readonly code = 'files.malformed_upload';
  constructor(problem: string, options?: ErrorOptions) {
    super(`Send multipart/form-data with one file in the field "file", and "folderId" if it goes into a folder: ${problem}.`, {}, options);
  }
}

export class UnsupportedUpload extends AppError {
  readonly kind = 'unsupported_media_type';
  readonly code = 'files.not_multipart';
  constructor() {
    super('Send the file as multipart/form-data.');
  }
}
