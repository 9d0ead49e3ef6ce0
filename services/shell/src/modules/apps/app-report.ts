import { z } from 'zod';
import { hasUnstorableText, InvalidFields } from '@satellite/kit/core';
import type { AppStatus } from './app.entity.js';

export const CONDITION_STATUSES = ['True', 'False', 'Unknown'] as const;

/** A condition of the SatelliteApp, as the operator found it. */
export interface ReportedCondition {
  readonly type: string;
  readonly status: (typeof CONDITION_STATUSES)[number];
  readonly reason: string;
  readonly message: string;
  /** RFC 3339: since when the status is what it is. */
  readonly lastTransitionTime: string;
  readonly observedGeneration: number;
}

/** What the operator tells of an app that its object owns. */
export interface AppReport {
  /** The operator's own, of everything but times; here it is only compared. */
  readonly digest: string;
  readonly conditions: readonly ReportedCondition[];
  readonly observedGeneration: number;
  readonly observedVersion: string | null;
  readonly degraded: boolean;
}

/** A report as the Shell keeps it. */
export interface KeptReport extends AppReport {
  readonly degradedSince: Date | null;
  readonly reportedAt: Date;
}

/** What users of an app's API depend on; later descriptions are compared with it. */
export interface ApiSurface {
  readonly digest: string;
  readonly version: string | null;
  readonly content: Uint8Array;
}

export const MAX_SURFACE_BYTES = 512 * 1024;

const digest = z.string().min(1, 'must not be empty').max(128);
const version = z.preprocess((value) => (value === '' ? null : value), z.string().max(64).nullable());

const ReportRules = z.strictObject({
  digest,
  conditions: z
    .array(
      z.strictObject({
        type: z.string().min(1).max(316),
        status: z.enum(CONDITION_STATUSES, `must be one of ${CONDITION_STATUSES.join(', ')}`),
        reason: z.string().min(1).max(1024),
        message: z.string().max(4096),
        lastTransitionTime: z.iso.datetime({ offset: true, error: 'must be a time such as 2026-01-31T12:00:00Z' }),
        observedGeneration: z.number().int().min(0),
      }),
    )
    .max(32)
    .refine((conditions) => !hasUnstorableText(conditions), 'must not contain NUL characters or halves of characters')
    .refine((conditions) => new Set(conditions.map(({ type }) => type)).size === conditions.length, 'must not name a type twice'),
  observedGeneration: z.number().int().min(1),
  observedVersion: version,
  degraded: z.boolean(),
});

const SurfaceRules = z.strictObject({ digest, version, content: z.instanceof(Uint8Array).refine(({ length }) => length > 0 && length <= MAX_SURFACE_BYTES, `must be 1 to ${MAX_SURFACE_BYTES} bytes`) });

/** Throws InvalidFields naming every broken field. */
export function parseReport(given: unknown): AppReport {
  return checked(ReportRules, given, 'report') as AppReport;
}

/** Throws InvalidFields naming every broken field. */
export function parseSurface(given: unknown): ApiSurface {
  return checked(SurfaceRules, given, 'api') as ApiSurface;
}

function checked(rules: z.ZodType, given: unknown, name: string): unknown {
  const parsed = rules.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new InvalidFields(parsed.error.issues.map(({ path, message }) => ({ field: [name, ...path].map(String).join('.'), message })));
}

/** What people see: an active app whose probes fail is degraded, whatever else was decided about it stays. */
export function effectiveStatus(status: AppStatus, degraded: boolean): AppStatus {
  return status === 'active' && degraded ? 'degraded' : status;
}
