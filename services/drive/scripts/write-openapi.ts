/** Writes services/drive/openapi.json, for people and for generated clients. */
import { writeFileSync } from 'node:fs';
import { describeApi } from '../src/openapi.js';

writeFileSync(new URL('../openapi.json', import.meta.url), `${JSON.stringify(describeApi(), null, 2)}\n`);
