export { authGatewayRpc } from './auth-gateway.rpc.js';
export { buildGateway, type Gateway } from './gateway.module.js';
export { rbacRpc } from './rbac.rpc.js';
