import { messageOf } from '@satellite/kit/core';
import type { ConditionDraft } from './conditions.js';
import { isPanic, Stalled, Waiting } from './errors.js';

/** What the Ready condition says of a reconcile that ended well; `progressing`: more is to come by itself. */
export type Success = Pick<ConditionDraft, 'reason' | 'message'> & { readonly status?: ConditionDraft['status']; readonly progressing?: boolean };

/** How a reconcile ended: what its last step threw, or undefined. */
export type Outcome = unknown;

/**
 * The three kstatus conditions of a finished reconcile. Ready comes from here only: steps state their own conditions
 * and throw. Reconciling and Stalled are present only while they hold.
 */
export function summarize(outcome: Outcome, success: Success): ConditionDraft[] {
  if (outcome === undefined) return succeeded(success);
  const { reason, message } = describe(outcome);
  const ready: ConditionDraft = { type: 'Ready', status: 'False', reason, message };
  if (outcome instanceof Stalled) return [ready, { type: 'Stalled', status: 'True', reason, message }];
  return [ready, { type: 'Reconciling', status: 'True', reason: 'ProgressingWithRetry', message: `Trying again: ${message}` }];
}

function succeeded({ status = 'True', reason, message, progressing = false }: Success): ConditionDraft[] {
  const ready: ConditionDraft = { type: 'Ready', status, reason, message };
  return progressing ? [ready, { type: 'Reconciling', status: 'True', reason, message }] : [ready];
}

/** What an object says while its first reconcile of a generation takes long. */
export function inProgress(message: string): ConditionDraft[] {
  return [
    { type: 'Ready', status: 'Unknown', reason: 'Progressing', message },
    { type: 'Reconciling', status: 'True', reason: 'Progressing', message },
  ];
}

function describe(outcome: unknown): Pick<ConditionDraft, 'reason' | 'message'> {
  if (outcome instanceof Stalled || outcome instanceof Waiting) return { reason: outcome.reason, message: outcome.message };
  // The text of a programming error may show internals; the log has it.
  if (isPanic(outcome)) return { reason: 'InternalError', message: 'The operator met an error of its own; see its log.' };
  return { reason: 'ReconcileFailed', message: messageOf(outcome) };
}
