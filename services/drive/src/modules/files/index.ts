export { isFirstPart, type Downloads } from './download.http.js';
export { FileSchema, type File } from './file.entity.js';
export { FileNotFound } from './files.errors.js';
export { buildFiles } from './files.module.js';
export type { FilesService } from './files.service.js';
