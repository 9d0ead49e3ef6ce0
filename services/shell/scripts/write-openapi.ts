/** Writes services/shell/openapi.json: the API in the default envelope, for people and for generated clients. */
import { writeFileSync } from 'node:fs';
import { describeApi } from '../src/openapi.js';

writeFileSync(new URL('../openapi.json', import.meta.url), `${JSON.stringify(describeApi('B'), null, 2)}\n`);
