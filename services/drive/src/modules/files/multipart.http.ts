import { PassThrough, type Readable } from 'node:stream';
import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy';
import type { Request } from 'express';
import { AppError } from '@satellite/kit/core';
import { MalformedUpload, UnsupportedUpload } from './files.errors.js';
import type { IncomingFile, Received } from './uploads.service.js';

type Parser = InstanceType<typeof Busboy>;

const LIMITS = { fieldNameSize: 100, fieldSize: 200, fields: 10, files: 1, parts: 20, headerPairs: 20, headerSize: 8192 };
const FILE_FIELD = 'file';
const KNOWN_FIELDS: ReadonlySet<string> = new Set(['folderId']);
/** So much of a refused body is read and dropped, so that the client gets to read why; then the connection is cut. */
const DRAINED_BYTES = 32 * 1024 * 1024;

/** The client has left before its body ended. */
class UploadCut extends AppError {
  readonly kind = 'invalid';
  readonly code = 'request.body_cut';
  constructor() {
    super('The request body ended early.');
  }
}

/**
 * Hands the file of a multipart body to `take` while it comes in, never more of it in memory than a few chunks.
 * Resolves when the whole body is there and the file is taken; rejects when either fails, but not before `take` has
 * ended: what it left can then be cleared up.
 */
export async function receiveUpload<T>(request: Request, take: (file: IncomingFile) => Promise<T>): Promise<Received<T>> {
  const form = new UploadForm(take, openForm(request));
  const cut = (): void => form.fail(new UploadCut());
  request.once('aborted', cut).once('error', cut);
  try {
    request.pipe(form.parser);
    return await form.received;
  } catch (error) {
    request.unpipe(form.parser);
    drain(request);
    throw error;
  } finally {
    request.off('aborted', cut).off('error', cut).on('error', () => undefined);
  }
}

function openForm(request: Request): Parser {
  if (!request.is('multipart/form-data')) throw new UnsupportedUpload();
  try {
    // names come as they were sent, paths included: those are refused, not repaired
    return new Busboy({ headers: request.headers as BusboyHeaders, limits: LIMITS, preservePath: true });
  } catch (error) {
    throw new MalformedUpload('the boundary is missing', { cause: error });
  }
}

/** One body on its way through the parser. */
class UploadForm<T> {
  readonly received: Promise<Received<T>>;
  private readonly fields = new Map<string, string>();
  private content: Readable | undefined;
  private taking: Promise<T> | undefined;
  private failed = false;
  private reject: (error: unknown) => void = () => undefined;

  constructor(
    private readonly take: (file: IncomingFile) => Promise<T>,
    readonly parser: Parser,
  ) {
    this.received = new Promise((resolve, reject) => {
      this.reject = reject;
      parser.on('file', (field, stream, name) => this.file(field, stream, name));
      parser.on('field', (name, value, _nameCut, valueCut) => this.field(name, value, valueCut));
      parser.once('filesLimit', () => this.fail(new MalformedUpload('there is more than one file')));
      for (const limit of ['partsLimit', 'fieldsLimit'] as const) parser.once(limit, () => this.fail(new MalformedUpload('there are too many fields')));
      parser.once('error', (error) => this.fail(new MalformedUpload('the body is cut or damaged', { cause: error })));
      parser.once('finish', () => {
        if (this.taking === undefined) return this.fail(new MalformedUpload('there is no file'));
        this.taking.then((taken) => resolve({ taken, fields: this.fields }), reject);
      });
    });
  }

  /** Ends the file that is being taken, waits for that, then says why. */
  fail(error: AppError): void {
    this.failed = true;
    this.content?.destroy(error);
    if (this.taking === undefined) this.reject(error);
    else void this.taking.then(() => this.reject(error), this.reject);
  }

  private file(field: string, stream: BusboyFileStream, name: string | undefined): void {
    if (this.failed) return void stream.on('error', () => undefined).resume(); // the parser goes through what it has
    const content = new PassThrough();
    this.content = content;
    // the parser only says that a part ended early; who takes the file hears it as what it is
    stream.on('error', (error) => content.destroy(new MalformedUpload('the body is cut or damaged', { cause: error })));
    content.on('error', () => stream.unpipe(content));
    stream.pipe(content);
    if (field !== FILE_FIELD || name === undefined) return this.fail(new MalformedUpload('the file must be in the field "file" and have a name'));
    this.taking = this.take({ name, content, fields: this.fields });
    this.taking.catch(this.reject);
  }

  private field(name: string, value: string, isCut: boolean): void {
    if (!KNOWN_FIELDS.has(name)) return this.fail(new MalformedUpload(`"${name.slice(0, 40)}" is not a known field`));
    if (this.fields.has(name) || isCut) return this.fail(new MalformedUpload(`"${name}" is there twice or too long`));
    this.fields.set(name, value);
  }
}

/** Reads on and drops for a while: a client that is cut off in the middle of its body never reads the answer. */
function drain(request: Request): void {
  let dropped = 0;
  request.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > DRAINED_BYTES) request.destroy();
  });
  request.resume();
}
