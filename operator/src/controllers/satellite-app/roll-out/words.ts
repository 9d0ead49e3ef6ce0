import type { ConditionDraft } from '../../../runtime/conditions.js';
import { CONDITION } from '../satellite-app.js';
import { nameOf } from './front-end.js';
import type { Stand } from './roll-out.js';

/** Reasons of the condition. */
export type RollOutReason = 'Progressing' | 'Paused' | 'Completed' | 'RolledBack';

/** The condition that says how far everything has come; `cause` is why nothing goes on. */
export function rolledOut({ rollout, enablement }: Stand, cause?: string): ConditionDraft & { readonly reason: RollOutReason } {
  const said = (status: ConditionDraft['status'], reason: RollOutReason, message: string) => ({ type: CONDITION.rolledOut, status, reason, message });
  const phases = [rollout?.phase, enablement?.phase];
  const where = [sentenceOf(rollout), enablement && `${enablement.percent} % of the organizations have the app.`].filter((text) => text !== undefined).join(' ');
  if (phases.includes('RolledBack')) return said('False', 'RolledBack', rolledBack({ rollout }));
  if (phases.includes('Paused')) return said('False', 'Paused', `${where} Paused, and goes on by itself${cause === undefined ? '' : `: ${cause}`}`);
  if (phases.includes('Progressing')) return said('Unknown', 'Progressing', where);
  return said('True', 'Completed', where);
}

/** What happened, and what to do. */
export function rolledBack({ rollout }: Pick<Stand, 'rollout'>): string {
  const [candidate, stable] = [nameOf(rollout?.candidate ?? {}), nameOf(rollout?.stable ?? {})];
  return `${candidate} failed ${rollout?.failures ?? 1} probes in a row and was taken back: every organization has ${stable}. Correct it and apply a new generation of the object, or set uiUrl and version back.`;
}

function sentenceOf(rollout: Stand['rollout']): string | undefined {
  if (!rollout) return undefined;
  const [candidate, stable] = [nameOf(rollout.candidate ?? {}), nameOf(rollout.stable ?? {})];
  if (rollout.phase === 'Completed') return `Every organization that has the app gets ${stable}.`;
  if (!rollout.percent) return `Nobody gets ${candidate} before its probes are good; every organization has ${stable}.`;
  return `${rollout.percent} % of the organizations get ${candidate}, the others ${stable}.`;
}
