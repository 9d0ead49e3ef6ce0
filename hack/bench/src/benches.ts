import type { Bench } from './bench.js';
import { configApps, configPlans } from './benches/config-feeds.js';
import { drive } from './benches/drive.js';
import { gateway } from './benches/gateway.js';
import { identity } from './benches/identity.js';
import { operatorScale } from './benches/operator-scale.js';
import { quota } from './benches/quota.js';
import { web } from './benches/web.js';

/** Every bench, in the order of the results. A new one is a file in benches/ and a line here. */
export const BENCHES: readonly Bench[] = [configApps, configPlans, gateway, identity, quota, drive, operatorScale, web];
