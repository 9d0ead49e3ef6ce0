export interface ExchangeForServiceRequest {
  /** @maxLength 16384 */
  idpToken: string;
  /**
   * Slug or id of the app.
   * @maxLength 64
   */
  serviceId: string;
}

export interface ServiceTokenView {
  accessToken: string;
  /**
   * Seconds.
   * @isInt
   */
  expiresIn: number;
  tokenType: 'Bearer';
  /** Slug of the app the token is for. */
  service: string;
}

/** A service client of an app; its secret is not kept and cannot be shown again. */
export interface AppClientView {
  clientId: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601; null when its first secret is in use. */
  rotatedAt: string | null;
  /** The secret before the last rotation is still good. */
  hasPreviousSecret: boolean;
}

export interface AppClientSecretView {
  clientId: string;
  /** Shown this once. */
  clientSecret: string;
}

/** What a token or several were ended by. */
export interface RevocationView {
  /**
   * Only grows.
   * @isLong
   */
  seq: number;
  kind: 'token' | 'session' | 'user' | 'organization';
  /** jti, session id, user id or organization id. */
  subject: string;
  /** ISO 8601. Kinds user and organization end tokens that were issued up to this moment; the others end theirs whatever it is. */
  issuedBefore: string;
  /** ISO 8601; every token that it ends has expired by then. */
  expiresAt: string;
}

export interface RevocationsView {
  /**
   * Everything up to this number is in the answer or was in those before. Lower than `after`: the database was
   * restored; forget what is known and take this list.
   * @isLong
   */
  seq: number;
  revocations: RevocationView[];
}
