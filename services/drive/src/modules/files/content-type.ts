import { Transform, type TransformCallback } from 'node:stream';
import { fileTypeFromBuffer } from 'file-type';

/** As much as the longest magic number needs. */
const SAMPLE_BYTES = 4100;
const BINARY = 'application/octet-stream';
const TEXT = 'text/plain';

/** Kinds of text that no browser runs; what a name may refine, since text has no magic number. */
const TEXTS: Readonly<Record<string, string>> = { csv: 'text/csv', json: 'application/json', md: 'text/markdown', yaml: 'application/yaml', yml: 'application/yaml', ics: 'text/calendar', vcf: 'text/vcard' };
/** Types by magic number that a browser would run on its own. */
const ACTIVE = /xml|html|javascript|ecmascript|x-shockwave/;

/** Passes bytes on and keeps the first of them. */
export class Sample extends Transform {
  private readonly kept: Buffer[] = [];
  private bytes = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.bytes < SAMPLE_BYTES) this.kept.push(chunk.subarray(0, SAMPLE_BYTES - this.bytes));
    this.bytes += chunk.length;
    done(null, chunk);
  }

  /** What the bytes are, whatever the uploader says they are. */
  async contentType(name: string): Promise<string> {
    const head = Buffer.concat(this.kept);
    const found = await fileTypeFromBuffer(head).catch(() => undefined);
    if (found !== undefined) return ACTIVE.test(found.mime) ? TEXT : found.mime;
    if (!isText(head, this.bytes > head.length)) return BINARY;
    return TEXTS[/\.([A-Za-z0-9]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''] ?? TEXT;
  }
}

/** UTF-8 without controls; a sample may end within a character. */
function isText(head: Buffer, isCut: boolean): boolean {
  // eslint-disable-next-line no-control-regex -- what makes bytes no text are controls
  if (/[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(head.toString('latin1'))) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: isCut });
    return true;
  } catch {
    return false;
  }
}
