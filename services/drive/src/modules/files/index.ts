export { FileSchema } from './file.entity.js';
export { buildFiles } from './files.module.js';
