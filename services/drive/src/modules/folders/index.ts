export { FolderSchema } from './folder.entity.js';
export { buildFolders } from './folders.module.js';
export type { FoldersService } from './folders.service.js';
