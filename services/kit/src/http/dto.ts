/** What every refusal looks like inside the envelope. */
export interface ErrorView {
  /** Stable machine code, for example NOT_FOUND. */
  code: string;
  /** A sentence that says what to change. */
  message: string;
  requestId: string;
  /** `reason` carries the module's code, for example apps.slug_in_use. */
  details?: Record<string, unknown>;
}

/**
 * A UUID.
 * @pattern ^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$ must be a UUID
 * @format uuid
 */
export type Uuid = string;
