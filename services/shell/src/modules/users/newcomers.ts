/** Tells somebody without a password how to set one. */
export interface Invitations {
  /** Called in the transaction that adds the user: writes rows (link, mail to send) and sends nothing itself. */
  invite(userId: string, email: string): Promise<void>;
}

/** Passwords by the platform's rules. */
export interface Passwords {
  /** Hash of a password that follows the rules; throws InvalidFields for field `password`. */
  hash(password: string): Promise<string>;
}
