/** Local login; `username` is the older name of `usernameOrEmail`, one of the two is needed. */
export interface LocalLoginRequest {
  /** @maxLength 254 */
  usernameOrEmail?: string;
  /** @maxLength 254 */
  username?: string;
  /** @maxLength 1024 */
  password: string;
}

export interface SignedInUserView {
  id: string;
  email: string;
  username: string;
  organizationId: string;
}

/** Section 2.2 of the interface. */
export interface TokenResponse {
  accessToken: string;
  refreshToken: string;
  /**
   * Seconds.
   * @isInt
   */
  expiresIn: number;
  tokenType: 'Bearer';
  user: SignedInUserView;
}

/** Client credentials of a service. */
export interface ServiceTokenRequest {
  /** @maxLength 64 */
  clientId: string;
  /** @maxLength 256 */
  clientSecret: string;
}

export interface ServiceTokenResponse {
  accessToken: string;
  /**
   * Seconds.
   * @isInt
   */
  expiresIn: number;
  tokenType: 'Bearer';
}

/** RFC 7517 key set. */
export interface KeySetView {
  keys: Record<string, unknown>[];
}
