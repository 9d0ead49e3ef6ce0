import { M0001IdentityAndRegistry } from './m0001-identity-and-registry.js';

/** In the order in which they run; a migration that has run is never changed. */
export const migrations = [M0001IdentityAndRegistry];
