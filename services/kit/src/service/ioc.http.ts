import type { Request } from 'express';
import type { IocContainerFactory } from '@tsoa/runtime';

/** What generated routes need of a service's container. */
export interface ControllerSource {
  /** Controller class → a new one. */
  readonly controllers: ReadonlyMap<unknown, () => object>;
}

/** The container of the service that serves this request. */
export function containerOf<Container>(request: Request): Container {
  return request.app.locals['container'] as Container;
}

/** The generated routes ask here for a controller; each request gets its own, since tsoa keeps status and headers in it. */
export const iocContainer: IocContainerFactory = (request: unknown) => ({
  get<T>(controller: unknown): T {
    const make = containerOf<ControllerSource>(request as Request).controllers.get(controller);
    if (make === undefined) throw new Error(`no controller ${String((controller as { name?: string }).name)} in the container`);
    return make() as T;
  },
});
