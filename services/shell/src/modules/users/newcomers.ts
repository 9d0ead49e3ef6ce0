/** What a new person takes; other modules supply it. */
export interface Newcomers {
  /** Hash of a password that follows the rules; throws InvalidFields for field `password`. */
  hash(password: string): Promise<string>;
  /** Tells somebody without a password how to set one. Called in the transaction that adds the user: writes rows (link, mail to send) and sends nothing itself. */
  invite(userId: string, email: string): Promise<void>;
  /** Throws QuotaExceeded when the organization's plan has no room for one more; called with the organization locked. */
  assertRoom(organizationId: string): Promise<void>;
}
