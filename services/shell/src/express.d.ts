import type { UserActor } from './actor.js';

declare global {
  namespace Express {
    interface Request {
      /** Set by `authentication.ts` on routes that need a token, and on others when a valid one was sent. */
      user?: UserActor;
    }
  }
}
