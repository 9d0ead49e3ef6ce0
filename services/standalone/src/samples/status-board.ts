import { Router } from 'express';
import { z } from 'zod';
import { messageOf } from '@satellite/kit/core';

const VERSION = '1.0.0';
const TIMEOUT_MS = 3_000;

const Health = z.object({ status: z.string(), version: z.string() });
const App = z.object({ slug: z.string(), name: z.string(), type: z.string(), version: z.string().nullish() });
const Registry = z.union([z.array(App), z.object({ data: z.array(App) }).transform(({ data }) => data)]);

/** What a sample is told of the platform it runs on. */
export interface SampleOptions {
  /** Where the platform answers this process. */
  readonly platformUrl: string;
}

/** API of the sample `status-board`: what the platform says of itself, asked over HTTP like any satellite would. */
export function statusBoardApi({ platformUrl }: SampleOptions): Router {
  const router = Router();
  router.get('/health', (_request, response) => void response.json({ status: 'UP', version: VERSION }));
  router.get('/status', async (_request, response) => {
    const [health, apps] = await Promise.all([read(`${platformUrl}/api/health`, Health), read(`${platformUrl}/api/config/apps`, Registry)]);
    response.json({ checkedAt: new Date().toISOString(), platform: health, apps });
  });
  return router;
}

/** The answer, or why there is none: a board must show trouble, not be part of it. */
async function read<T>(url: string, schema: z.ZodType<T>): Promise<{ ok: true; value: T } | { ok: false; problem: string }> {
  try {
    const response = await fetch(url, { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return { ok: true, value: schema.parse(await response.json()) };
  } catch (error) {
    return { ok: false, problem: messageOf(error).split('\n')[0] ?? 'unknown' };
  }
}
