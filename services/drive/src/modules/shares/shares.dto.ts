export interface ShareRequest {
  /**
   * Days for which the link works: exactly 1, 3 or 7.
   * @isInt ttlDays must be 1, 3 or 7
   */
  ttlDays: number;
}

/** A new link. */
export interface SharedView {
  url: string;
  expiresAt: Date;
}

/** A link that works. */
export interface LinkView {
  id: string;
  /** Null when the key that it was made with is gone. */
  token: string | null;
  expiresAt: Date;
  createdBy: string;
}

/** What a stranger with a link may know of the file. */
export interface SharedFileView {
  name: string;
  /** Bytes. */
  size: number;
  contentType: string;
  /** When the link ends. */
  expiresAt: Date;
}
