import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '@satellite/kit/core';
import type { Key } from '../../runtime/objects.js';
import type { FolderView } from './files.js';
import { parseManifests, UnreadableManifest, type Manifest, type ManifestDocument, type ManifestReader } from './manifest.js';

/** Something wrong in a file; without a key it is about the whole file or a nameless document. */
export interface ManifestProblem {
  readonly key?: Key;
  readonly position?: number;
  readonly message: string;
}

/** What was said of a document, and against which stored spec. */
interface Verdict<Spec> {
  readonly oldSpec: unknown;
  readonly manifest: Manifest<Spec>;
  readonly problem: string | undefined;
}

interface FileContent {
  readonly signature: string;
  readonly documents: readonly ManifestDocument[];
  /** Why nothing of the file could be read. */
  readonly unreadable?: string;
}

/** What the folder asks for. */
export interface Wish<Spec> {
  /** Valid manifests by key, each with its file. */
  readonly manifests: ReadonlyMap<Key, { readonly file: string; readonly manifest: Manifest<Spec> }>;
  /** Keys that a manifest names but does not describe validly: what is known of them stays. */
  readonly held: ReadonlySet<Key>;
  /** Files of which nothing is known at the moment: objects that came from them stay. */
  readonly heldFiles: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
  readonly problems: ReadonlyMap<string, readonly ManifestProblem[]>;
}

/** What the catalog must know of objects that exist. */
export interface Known {
  specOf(key: Key): unknown;
  fileOf(key: Key): string | undefined;
}

const SIZE_LIMIT = 1024 * 1024;

/** The contents of the folder's files; reads only what changed. */
export class Catalog<Spec> {
  private contents = new Map<string, FileContent>();
  // Documents are parsed once for each change of their file, so what is known of them holds as long as they do.
  private readonly keys = new WeakMap<ManifestDocument, { readonly key: Key | undefined }>();
  private readonly verdicts = new WeakMap<ManifestDocument, Verdict<Spec>>();

  constructor(
    private readonly folder: string,
    private readonly reader: ManifestReader<Spec>,
  ) {}

  async read(view: FolderView, known: Known): Promise<Wish<Spec>> {
    const contents = new Map<string, FileContent>();
    for (const [file, signature] of view.settled) {
      const before = this.contents.get(file);
      contents.set(file, before?.signature === signature ? before : await this.readFile(file, signature));
    }
    // A file that is being written keeps its last complete content.
    for (const file of view.unsettled) {
      const before = this.contents.get(file);
      if (before) contents.set(file, before);
    }
    this.contents = contents;
    return this.judge(view, known);
  }

  private async readFile(file: string, signature: string): Promise<FileContent> {
    try {
      const { size } = await stat(join(this.folder, file));
      if (size > SIZE_LIMIT) throw new UnreadableManifest(`the file is larger than ${SIZE_LIMIT} bytes; split it`);
      return { signature, documents: parseManifests(await readFile(join(this.folder, file), 'utf8')) };
    } catch (error) {
      const what = error instanceof UnreadableManifest ? 'The file cannot be read as YAML or JSON' : 'The file cannot be read';
      return { signature, documents: [], unreadable: `${what}: ${messageOf(error)}. What was registered from it stays as it is.` };
    }
  }

  private judge(view: FolderView, known: Known): Wish<Spec> {
    const manifests = new Map<Key, { file: string; manifest: Manifest<Spec> }>();
    const held = new Set<Key>();
    const heldFiles = new Set<string>(view.unsettled);
    const problems = new Map<string, ManifestProblem[]>();
    const owners = this.owners(known);
    for (const [file, content] of this.contents) {
      const found: ManifestProblem[] = [];
      if (content.unreadable) {
        heldFiles.add(file);
        found.push({ message: content.unreadable });
      }
      for (const document of content.documents) {
        const outcome = this.judgeDocument(document, owners, known);
        if (outcome.problem) found.push(outcome.problem);
        if (outcome.key && outcome.manifest) manifests.set(outcome.key, { file, manifest: outcome.manifest });
        else if (outcome.key) held.add(outcome.key);
      }
      if (found.length > 0) problems.set(file, found);
    }
    return { manifests, held, heldFiles, files: new Set([...view.settled.keys(), ...view.unsettled]), problems };
  }

  /** Which file and document an object belongs to when several name it: the file it came from, else the first by name. */
  private owners(known: Known): Map<Key, { readonly file: string; readonly document: ManifestDocument }> {
    const owners = new Map<Key, { file: string; document: ManifestDocument }>();
    for (const [file, { documents }] of [...this.contents].sort(([a], [b]) => (a < b ? -1 : 1))) {
      for (const document of documents) {
        const key = this.keyOf(document);
        if (key === undefined) continue;
        const owner = owners.get(key);
        if (!owner || (known.fileOf(key) === file && owner.file !== file)) owners.set(key, { file, document });
      }
    }
    return owners;
  }

  private judgeDocument(document: ManifestDocument, owners: ReturnType<Catalog<Spec>['owners']>, known: Known): { readonly key?: Key; readonly manifest?: Manifest<Spec>; readonly problem?: ManifestProblem } {
    const { position } = document;
    const key = this.keyOf(document);
    const owner = key === undefined ? undefined : owners.get(key);
    if (owner && owner.document !== document) {
      return { problem: { position, message: `${key} is already described in ${owner.file}; remove it here or there, or give it another metadata.name.` } };
    }
    const { manifest, problem } = this.verdictOn(document, key === undefined ? undefined : known.specOf(key));
    return problem === undefined ? { key, manifest } : { key, problem: { key, position, message: problem } };
  }

  private keyOf(document: ManifestDocument): Key | undefined {
    const known = this.keys.get(document);
    if (known) return known.key;
    const id = this.reader.identify(document);
    const key = id && `${id.namespace}/${id.name}`;
    this.keys.set(document, { key });
    return key;
  }

  private verdictOn(document: ManifestDocument, oldSpec: unknown): Verdict<Spec> {
    const known = this.verdicts.get(document);
    if (known && known.oldSpec === oldSpec) return known;
    const { manifest, problems } = this.reader.read(document, oldSpec);
    const problem = problems.length === 0 ? undefined : `Correct ${problems.map(({ path, message }) => `${path}: ${message}`).join('; ')}.`;
    const verdict = { oldSpec, manifest, problem };
    this.verdicts.set(document, verdict);
    return verdict;
  }
}
