import { readFile } from 'node:fs/promises';

/** What a request carries so that the API server knows who asks. */
export interface Credentials {
  readonly authorization?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** Where an API server is, how to trust it, and as whom to ask it. */
export interface ClusterAccess {
  readonly server: string;
  readonly servername?: string;
  readonly rejectUnauthorized: boolean;
  /** PEM of the authorities; those of Node.js unless given. */
  ca(): Promise<string | undefined>;
  /** Asked before each request, because tokens and certificates are rotated; cheap when nothing has changed. */
  credentials(): Promise<Credentials>;
}

/** Tokens live an hour and are replaced when four fifths are over; a minute late is early enough. */
const KEEP_MS = 60_000;

/** A file that somebody rotates, read again every minute. */
export class KeptFile {
  private kept: { readonly text: Promise<string>; readonly until: number } | undefined;

  constructor(private readonly path: string) {}

  text(): Promise<string> {
    if (!this.kept || this.kept.until < performance.now()) {
      this.kept = { text: readFile(this.path, 'utf8'), until: performance.now() + KEEP_MS };
      // The next one tries again; this one tells its caller.
      this.kept.text.catch(() => (this.kept = undefined));
    }
    return this.kept.text;
  }
}
