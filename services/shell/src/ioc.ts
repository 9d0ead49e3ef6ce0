import type express from 'express';
import type { IocContainerFactory } from '@tsoa/runtime';
import { containerOf } from './container.js';

/** The generated routes ask here for a controller; each request gets its own, since tsoa keeps status and headers in it. */
export const iocContainer: IocContainerFactory = (request: unknown) => ({
  get<T>(controller: unknown): T {
    const make = containerOf(request as express.Request).controllers.get(controller);
    if (make === undefined) throw new Error(`no controller ${String((controller as { name?: string }).name)} in the container`);
    return make() as T;
  },
});
