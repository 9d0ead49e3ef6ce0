import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '@satellite/kit/core';
import type { Logger } from '@satellite/kit/telemetry';
import { Document, stringify } from 'yaml';
import { mergeConditions, type ConditionDraft } from '../../runtime/conditions.js';
import { keyOf, type CustomResource } from '../../runtime/objects.js';
import type { ManifestProblem } from './catalog.js';
import { STATUS_SUFFIX, writeAtomically } from './files.js';

const HEADER = ' Written by the operator beside the manifest it is about; changes here have no effect.';

/** What is to be said about one manifest file. */
export interface FileReport {
  readonly objects: readonly CustomResource[];
  readonly problems: readonly ManifestProblem[];
}

/** Writes `<manifest>.status.yaml`. Many requests for one file end in few writes, the last of which is the newest. */
export class StatusFiles {
  private readonly writing = new Map<string, { again: boolean; readonly done: Promise<void> }>();
  private readonly written = new Map<string, string>();

  /** @param report the newest report of a file; undefined when there is nothing to say any more */
  constructor(
    private readonly directory: string,
    private readonly kind: { readonly apiVersion: string; readonly kind: string },
    private readonly report: (file: string) => FileReport | undefined,
    private readonly logger: Logger,
  ) {}

  /** Resolves when a report at least as new as this call is on disk. */
  async update(file: string): Promise<void> {
    const running = this.writing.get(file);
    if (running) {
      running.again = true;
      return running.done;
    }
    const entry = { again: false, done: Promise.resolve() };
    entry.done = this.writeUntilCurrent(file, entry).finally(() => this.writing.delete(file));
    this.writing.set(file, entry);
    return entry.done;
  }

  async idle(): Promise<void> {
    await Promise.allSettled([...this.writing.values()].map(({ done }) => done));
  }

  private async writeUntilCurrent(file: string, entry: { again: boolean }): Promise<void> {
    // Lets other objects of the same file add what they have to say.
    await Promise.resolve();
    do {
      entry.again = false;
      await this.write(file);
    } while (entry.again);
  }

  private async write(file: string): Promise<void> {
    const target = join(this.directory, `${file}${STATUS_SUFFIX}`);
    const report = this.report(file);
    const text = report && this.render(report);
    if (text === this.written.get(file)) return;
    try {
      if (text === undefined) await rm(target, { force: true });
      else await writeAtomically(target, text);
      if (text === undefined) this.written.delete(file);
      else this.written.set(file, text);
    } catch (error) {
      // The status is for people; the object goes on without it.
      this.logger.warn({ file: target, detail: messageOf(error) }, 'a status file cannot be written');
    }
  }

  private render({ objects, problems }: FileReport): string {
    const described = objects.map((object) => this.describe(object, problems.find(({ key }) => key === keyOf(object)) ?? problems.find(({ key, position }) => key === undefined && position === undefined)));
    const known = new Set(objects.map(keyOf));
    const whole = objects.length > 0;
    const others = problems.filter(({ key, position }) => (key === undefined ? !(whole && position === undefined) : !known.has(key))).map((problem) => this.describeProblem(problem));
    return [...described, ...others].map((value, index) => (index === 0 ? commented(value) : stringify(value, { lineWidth: 0 }))).join('---\n');
  }

  private describe({ metadata, status }: CustomResource, problem: ManifestProblem | undefined): object {
    const { name, namespace, uid, generation, creationTimestamp, deletionTimestamp } = metadata;
    const conditions = problem ? withProblem(status?.conditions ?? [], problem.message, generation) : status?.conditions;
    return { ...this.kind, metadata: { name, namespace, uid, generation, creationTimestamp, deletionTimestamp }, status: { observedGeneration: -1, ...status, conditions } };
  }

  private describeProblem({ key, position, message }: ManifestProblem): object {
    const [namespace, name] = key?.split('/') ?? [];
    const metadata = key === undefined ? {} : { metadata: { name, namespace, generation: 0 } };
    return { ...this.kind, ...metadata, ...(position === undefined ? {} : { document: position }), status: { observedGeneration: -1, conditions: withProblem([], message, 0) } };
  }
}

/** Conditions of an object whose manifest is not valid: what is registered stays, and the manifest needs a person. */
function withProblem(conditions: NonNullable<CustomResource['status']>['conditions'] & object, message: string, generation: number): object[] {
  const drafts: ConditionDraft[] = [
    { type: 'Ready', status: 'False', reason: 'InvalidManifest', message },
    { type: 'Stalled', status: 'True', reason: 'InvalidManifest', message },
  ];
  const others = conditions.filter(({ type }) => !['Ready', 'Stalled', 'Reconciling'].includes(type));
  return [...mergeConditions(conditions, drafts, generation, new Date().toISOString()), ...others];
}

function commented(value: object): string {
  const document = new Document(value);
  document.commentBefore = HEADER;
  return document.toString({ lineWidth: 0 });
}
