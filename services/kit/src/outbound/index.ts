export { HostAllowList, isPublicAddress } from './addresses.js';
export * from './errors.js';
export * from './outbound-door.js';
