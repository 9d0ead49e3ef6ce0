import type { Logger } from '@satellite/kit/telemetry';
import { PermissionDenied } from '../auth/index.js';
import type { AppReach } from './app-reach.js';
import type { Caller } from './callers.js';
import type { DecisionMetrics } from './decision-metrics.js';
import { InvalidQuestion, QuestionRefused } from './gateway.errors.js';
import { permissionOf } from './permission-question.js';
import type { PolicyEngine } from './policy-engine.js';
import { holds, permissionsOf, type Subject } from './policy-index.js';

/** "May `sub` do `act` on `obj`?"; empty strings are absent, as in proto. */
export interface PermissionQuestion {
  readonly sub: string;
  readonly act: string;
  readonly obj: string;
  readonly organizationId: string;
  /** '', 'bounded' or 'full'. */
  readonly consistency: string;
}

export type Reason = 'granted' | 'not_granted' | 'unknown_subject' | 'subject_inactive' | 'organization_inactive' | 'other_organization' | 'app_not_enabled';

/** Fields in the order of the proto message: the JSON of both ways is then the same. */
export interface PermissionAnswer {
  readonly allowed: boolean;
  readonly reason: Reason;
  readonly policyVersion: number;
}

export interface PermissionList {
  readonly permissions: readonly string[];
  readonly roles: readonly string[];
  readonly organizationId: string;
  readonly policyVersion: number;
}

export interface RbacServiceDeps {
  readonly engine: PolicyEngine;
  readonly reach: AppReach;
  readonly metrics: DecisionMetrics;
  readonly logger: Logger;
}

/** Permission of services of the platform to ask about everybody. */
export const READ_EVERYTHING = 'rbac:read';
const MAX_BATCH = 50;
const MAX_SUBJECT = 200;
const NOBODY: PermissionList = { permissions: [], roles: [], organizationId: '', policyVersion: 0 };

/** What people may do, for callers who may know it. */
export class RbacService {
  constructor(private readonly deps: RbacServiceDeps) {}

  /** Throws InvalidQuestion, QuestionRefused, PermissionDenied or CopiesTooOld. */
  async check(caller: Caller, question: PermissionQuestion): Promise<PermissionAnswer> {
    return (await this.decide(caller, question)).answer;
  }

  /** The same with the person's organization; undefined when nobody knows the person. */
  async decide(caller: Caller, question: PermissionQuestion): Promise<{ readonly answer: PermissionAnswer; readonly organizationId: string | undefined }> {
    const began = performance.now();
    const permission = permissionOf(question.act, question.obj);
    assertSubject(question.sub);
    assertMayAsk(caller, question.sub, permission);
    const subject = await this.subject(question);
    const reason = await this.reasonOf(caller, subject, permission, question);
    const answer: PermissionAnswer = { allowed: reason === 'granted', reason, policyVersion: subject?.policyVersion ?? 0 };
    this.deps.metrics.decided(answer.allowed, reason, (performance.now() - began) / 1000);
    this.deps.logger.debug({ caller: caller.kind === 'service' ? caller.client.clientId : caller.userId, sub: question.sub, permission, ...answer }, 'rbac decision');
    return { answer, organizationId: subject?.organizationId };
  }

  /** Answers in the order of the questions; throws what `check` throws, and InvalidQuestion for a batch of the wrong size. */
  async checkAll(caller: Caller, questions: readonly PermissionQuestion[]): Promise<PermissionAnswer[]> {
    if (questions.length < 1 || questions.length > MAX_BATCH) throw new InvalidQuestion(`A batch has 1 to ${MAX_BATCH} checks.`);
    return Promise.all(questions.map((question) => this.check(caller, question)));
  }

  /** What the caller may know of a person's permissions. Throws as `check`. */
  async permissionsOf(caller: Caller, sub: string): Promise<PermissionList> {
    assertSubject(sub);
    assertMayAsk(caller, sub);
    const subject = await this.deps.engine.subject(sub);
    if (!subject?.active || !subject.organizationActive || isForeign(caller, subject)) return NOBODY;
    if (!(await this.reaches(caller, subject))) return NOBODY;
    const { organizationId, policyVersion } = subject;
    return { permissions: permissionsOf(subject).filter((code) => mayKnow(caller, code)), roles: subject.roles.map(({ name }) => name).sort(), organizationId, policyVersion };
  }

  private subject({ sub, consistency }: PermissionQuestion): Promise<Subject | undefined> {
    if (consistency === 'full') return this.deps.engine.readThrough(sub);
    if (consistency === '' || consistency === 'bounded') return this.deps.engine.subject(sub);
    throw new InvalidQuestion('consistency must be "bounded" (or absent) or "full".');
  }

  private async reasonOf(caller: Caller, subject: Subject | undefined, permission: string, { organizationId, consistency }: PermissionQuestion): Promise<Reason> {
    if (subject === undefined) return 'unknown_subject';
    if (isForeign(caller, subject)) return 'other_organization';
    // before everything that tells of the person: where an app is not enabled its clients learn nothing of them
    if (!(await this.reaches(caller, subject, consistency))) return 'app_not_enabled';
    if (organizationId !== '' && organizationId.toLowerCase() !== subject.organizationId) return 'other_organization';
    if (!subject.organizationActive) return 'organization_inactive';
    if (!subject.active) return 'subject_inactive';
    return holds(subject, permission) ? 'granted' : 'not_granted';
  }

  private reaches(caller: Caller, { organizationId }: Subject, consistency = ''): Promise<boolean> | boolean {
    if (caller.kind === 'person' || caller.client.appSlug === null) return true;
    const { reach } = this.deps;
    return consistency === 'full' ? reach.isEnabledNow(caller.client.appSlug, organizationId) : reach.isEnabled(caller.client.appSlug, organizationId);
  }
}

/** Somebody whose token is of another organization than the one they are in now. */
function isForeign(caller: Caller, subject: Subject): boolean {
  return caller.kind === 'person' && caller.organizationId !== subject.organizationId;
}

function assertSubject(sub: string): void {
  if (sub === '' || sub.length > MAX_SUBJECT) throw new InvalidQuestion(`sub must be a user id (1 to ${MAX_SUBJECT} characters).`);
}

/** Who may ask at all; without a permission the question is for all that the caller may know. */
function assertMayAsk(caller: Caller, sub: string, permission?: string): void {
  if (caller.kind === 'person') {
    if (caller.userId !== sub.toLowerCase()) throw new QuestionRefused('With a token of your own you can ask about yourself only.');
    return;
  }
  const { client } = caller;
  if (client.appSlug === null) {
    if (!client.permissions.has(READ_EVERYTHING)) throw new PermissionDenied(READ_EVERYTHING);
    return;
  }
  if (permission !== undefined && !client.owns(permission)) throw new QuestionRefused(`Clients of ${client.appSlug} can ask for permissions of ${client.appSlug} only.`);
}

function mayKnow(caller: Caller, permission: string): boolean {
  return caller.kind === 'person' || caller.client.owns(permission);
}
