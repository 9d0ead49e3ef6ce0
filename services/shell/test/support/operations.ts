import { operationsOf } from '@satellite/kit/testing';
import { rawOpenApi } from '../../src/openapi.js';

/** Every operation of the Shell's REST interface. */
export const operations = operationsOf(rawOpenApi);
