import type { Request } from 'express';
import { messageOf, type AppError } from '@satellite/kit/core';
import type { RateLimiter } from '@satellite/kit/http';
import type { Logger } from '@satellite/kit/telemetry';
import type { Actor } from '../../actor.js';
import type { Background } from '../../parts.js';
import type { AuditLog } from './audit-log.js';

/** Of one person; what is more is in the log and in the metrics, and cannot fill the trail. */
const RULE = { name: 'drive-audited-refusals', limit: 30, windowSeconds: 60 };
const FIRST_ID = /\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/|$)/i;

/** Writes down what people of an organization were refused: changes, and everything that is not theirs to see. */
export class RefusalAudit implements Background {
  private readonly writing = new Set<Promise<void>>();

  constructor(
    private readonly audit: AuditLog,
    private readonly limiter: RateLimiter,
    private readonly logger: Logger,
  ) {}

  start(): void {}

  /** What was refused before is written down. */
  async stop(): Promise<void> {
    await Promise.all(this.writing);
  }

  /** After the answer; nobody waits for it. */
  readonly onRefusal = (request: Request, error: AppError, status: number): void => {
    const { user } = request as { user?: Actor };
    if (user === undefined || (request.method === 'GET' && status !== 403 && status !== 404)) return;
    const work = this.write(user, request, error, status)
      .catch((cause: unknown) => this.logger.warn({ error: messageOf(cause) }, 'a refusal could not be written down'))
      .finally(() => this.writing.delete(work));
    this.writing.add(work);
  };

  private async write(actor: Actor, request: Request, error: AppError, status: number): Promise<void> {
    if (!(await this.limiter.hit(RULE, actor.id)).allowed) return;
    const { path = '' } = (request.route ?? {}) as { path?: unknown };
    const subject = { id: FIRST_ID.exec(request.path)?.[1] ?? null, name: `${request.method} ${String(path)}` };
    await this.audit.record(actor, { action: 'request.refused', subject, details: { status, reason: error.code } });
  }
}
