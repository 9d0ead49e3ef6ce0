import type { Bench } from './bench.js';
import { configApps } from './benches/config-apps.js';
import { gateway } from './benches/gateway.js';
import { identity } from './benches/identity.js';
import { operatorScale } from './benches/operator-scale.js';

/** Every bench, in the order of the results. A new one is a file in benches/ and a line here. */
export const BENCHES: readonly Bench[] = [configApps, gateway, identity, operatorScale];
