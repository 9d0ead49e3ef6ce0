import type { Condition } from './objects.js';

/** A condition as a step states it; time and generation are added when the status is written. */
export type ConditionDraft = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/** Longest message we write; the API server refuses more than 32 KiB. */
const MESSAGE_LIMIT = 2000;

export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

export function isTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

/**
 * Drafts as conditions, in their order. A condition keeps its transition time while its status stays the same.
 * @param now ISO time of this write
 */
export function mergeConditions(before: readonly Condition[] | undefined, drafts: Iterable<ConditionDraft>, observedGeneration: number, now: string): Condition[] {
  return [...drafts].map(({ type, status, reason, message }) => {
    const known = findCondition(before, type);
    const lastTransitionTime = known?.status === status ? known.lastTransitionTime : now;
    return { type, status, reason, message: message.slice(0, MESSAGE_LIMIT), lastTransitionTime, observedGeneration };
  });
}
