export { ObjectMissing, ObjectTooLarge, StoreFailed } from './errors.js';
export { FolderStore } from './folder-store.js';
export { S3Store } from './s3-store.js';
export * from './object-store.js';
export * from './open-store.js';
