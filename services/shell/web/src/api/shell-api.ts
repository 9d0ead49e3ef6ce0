import { createApi } from '@satellite/web-kit';
import type { components, paths } from '../generated/schema.js';
import { session } from '../session/session.js';

/** Shapes of the Shell's API by their names in its OpenAPI document. */
export type Schemas = components['schemas'];

/** The Shell's API as the person who is signed in. */
export const { client, hooks } = createApi<paths>('/api', session);

/** The same API for pages that need nobody signed in. */
export const { client: publicClient, hooks: publicHooks } = createApi<paths>('/api');
