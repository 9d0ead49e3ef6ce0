import type { SatelliteApp, SatelliteAppStatus } from '../satellite-app.js';
import { isRolledBack, nextCanary, type Verdict } from './canary.js';
import { nextEnablement } from './enablement.js';
import { frontEndOf, isSameFrontEnd, type EnablementStatus, type FrontEnd, type RollOutRules, type RollOutStatus } from './front-end.js';
import type { Rung } from './ladder.js';

/** How far the app and its newest front-end have come, as the status keeps it. */
export type Stand = Pick<SatelliteAppStatus, 'rollout' | 'enablement'>;

/** What one look makes of it. */
interface Next {
  readonly rollout?: RollOutStatus;
  readonly enablement?: EnablementStatus;
  readonly restMs?: number;
}

/** What the registry shall say of front-end and share. */
export interface Distribution {
  /** What those get who do not get the canary. */
  readonly frontEnd: FrontEnd;
  readonly canary?: FrontEnd & { readonly percent: number };
  /** Of all organizations; 100 without waves. */
  readonly percent: number;
  /** Names all of this, so that the registry tells a step from a foreign edit. */
  readonly step: string;
}

/** The roll-outs of one object in one run: where they stood, and what this run makes of them. */
export class RollOut {
  private next: Next = {};
  /** What the probes of this run found. */
  found: { readonly ui?: Error; readonly api?: Error } = {};
  /** What is told at the end of the run, after the registry was brought to what is left. */
  problem: Error | undefined;

  constructor(
    private readonly app: SatelliteApp,
    readonly before: Stand,
  ) {
    this.next = before;
  }

  get rules(): RollOutRules | undefined {
    return this.app.spec.rollout;
  }

  get waves(): readonly Rung[] | undefined {
    return wavesOf(this.app);
  }

  /** The front-end that is probed: what the object asks for, or what everybody has after that failed. */
  get probedUrl(): string | undefined {
    return this.isBack ? this.before.rollout?.stable?.uiUrl : this.app.spec.uiUrl;
  }

  /** The front-end that is probed is a new one, which not everybody has. */
  get probesCandidate(): boolean {
    const { rollout } = this.before;
    return this.rules !== undefined && rollout?.stable?.uiUrl !== undefined && !this.isBack && !isSameFrontEnd(frontEndOf(this.app), rollout.stable);
  }

  /** The front-end of this generation was taken back earlier. */
  get isBack(): boolean {
    return isRolledBack(this.before.rollout, frontEndOf(this.app));
  }

  /** Looks at everything once. */
  advance(verdict: Verdict, good: boolean, nowMs: number): void {
    const { rules, waves, before } = this;
    const canary = rules && nextCanary({ rules, before: before.rollout, candidate: frontEndOf(this.app), verdict, nowMs });
    const enablement = waves && nextEnablement({ waves, before: before.enablement, good, nowMs });
    const rests = [canary?.restMs, enablement?.restMs].filter((ms) => ms !== undefined);
    this.next = { rollout: canary?.status, enablement: enablement?.status, restMs: rests.length > 0 ? Math.min(...rests) : undefined };
  }

  get stand(): Stand {
    return { rollout: this.next.rollout, enablement: this.next.enablement };
  }

  get restMs(): number | undefined {
    return this.next.restMs;
  }

  get distribution(): Distribution {
    const { rollout, enablement } = this.next;
    const wanted = frontEndOf(this.app);
    const percent = enablement?.percent ?? this.waves?.[0]?.percent ?? 100;
    const part = rollout ? canaryStep(rollout) : '-';
    const base = { percent, step: `${percent}/${part}` };
    if (!rollout?.stable || rollout.phase === 'Completed') return { ...base, frontEnd: wanted };
    if (rollout.phase === 'RolledBack' || !rollout.percent) return { ...base, frontEnd: rollout.stable };
    return { ...base, frontEnd: rollout.stable, canary: { ...wanted, percent: rollout.percent } };
  }
}

/** Not everybody gets the same of it: only a Shell that knows shares can be told. */
export function isShared(distribution: Distribution | undefined): boolean {
  return distribution !== undefined && (distribution.percent < 100 || distribution.canary !== undefined);
}

/** The waves of an app that is meant for all; a list of organizations knows none. */
export function wavesOf({ spec: { organizations } }: SatelliteApp): readonly Rung[] | undefined {
  return organizations.mode === 'All' ? organizations.waves : undefined;
}

/** The same with clocks that stand still, as while nothing is looked at. */
export function paused({ rollout, enablement }: Stand): Stand {
  return {
    rollout: rollout?.phase === 'Progressing' ? { ...rollout, phase: 'Paused', since: undefined } : rollout,
    enablement: enablement?.phase === 'Progressing' ? { phase: 'Paused', percent: enablement.percent } : enablement,
  };
}

/** The share of the organizations in the name of a step. */
export function percentOf(step: string): number {
  return Number.parseInt(step, 10);
}

/** What it says of the front-end: a percentage, `all`, `back`, or `-` where none is rolled out. */
export function canaryPart(step: string): string {
  return step.split('/')[1] ?? '';
}

function canaryStep({ phase, percent }: RollOutStatus): string {
  if (phase === 'Completed') return 'all';
  return phase === 'RolledBack' ? 'back' : String(percent ?? 0);
}
