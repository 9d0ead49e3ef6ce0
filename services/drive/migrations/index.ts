import { M0001Files } from './m0001-files.js';

/** In the order in which they run; a migration that has run is never changed. */
export const migrations = [M0001Files];
