export { HostAllowList, isPublicAddress } from './addresses.js';
export * from './errors.js';
export { OutboundDoor, type OutboundOptions, type OutboundRequest, type OutboundResponse } from './outbound-door.js';
