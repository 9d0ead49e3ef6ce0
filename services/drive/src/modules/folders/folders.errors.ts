import { AppError } from '@satellite/kit/core';

export class FolderNotFound extends AppError {
  readonly kind = 'not_found';
  readonly code = 'folders.not_found';
  constructor() {
    super('There is no such folder.');
  }
}

export class FolderNameInUse extends AppError {
  readonly kind = 'conflict';
  readonly code = 'folders.name_in_use';
  constructor(name: string) {
    super(`There is a folder "${name}" in this place already. Choose another name.`, { name });
  }
}

/** A folder would be inside itself. */
export class MoveIntoItself extends AppError {
  readonly kind = 'conflict';
  readonly code = 'folders.move_into_itself';
  constructor() {
    super('A folder cannot be moved into itself or into a folder below it.');
  }
}

export class TooDeep extends AppError {
  readonly kind = 'conflict';
  readonly code = 'folders.too_deep';
  constructor(depth: number) {
    super(`Folders can be nested ${depth} deep.`, { depth });
  }
}

/** Who is no administrator changes what is their own. */
export class FolderOfSomebodyElse extends AppError {
  readonly kind = 'forbidden';
  readonly code = 'folders.not_yours';
  constructor() {
    super('Somebody else made this folder. They or an administrator can change it.');
  }
}

/** Deleting the folder would delete what others made. */
export class HoldsOthersFiles extends AppError {
  readonly kind = 'forbidden';
  readonly code = 'folders.holds_others_files';
  constructor() {
    super('There are files or folders of other people in it. An administrator can delete it.');
  }
}
