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

export interface RefreshRequest {
  /**
   * Absent when the browser sends its cookie.
   * @maxLength 256
   */
  refreshToken?: string;
}

export interface RefreshResponse {
  accessToken: string;
  /**
   * Seconds.
   * @isInt
   */
  expiresIn: number;
  tokenType: 'Bearer';
  /** The next refresh token; absent when it travels in the cookie. */
  refreshToken?: string;
}

export interface MessageView {
  message: string;
}

export interface SessionView {
  id: string;
  userAgent: string;
  address: string;
  /** Identity provider; null after a local login. */
  providerId: string | null;
  createdAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
  /** The session of the token that asks. */
  current: boolean;
}

/** Section 2.3 of the interface. */
export interface ProfileView {
  id: string;
  email: string;
  username: string;
  firstName: string;
  lastName: string;
  organizationId: string;
  organization: ProfileOrganizationView;
  preferences: Record<string, unknown>;
  roles: string[];
  permissions: string[];
}

export interface ProfileOrganizationView {
  id: string;
  name: string;
  slug: string;
  type: string;
  subscriptionPlan: string;
}

export interface ChangePasswordRequest {
  /** @maxLength 1024 */
  currentPassword: string;
  /**
   * At least 8 characters, at most 72 bytes.
   * @maxLength 1024
   */
  newPassword: string;
}

export interface PasswordResetRequest {
  /**
   * @maxLength 254
   * @pattern ^[^\s@\u0000]+@[^\s@\u0000]+$ must be an e-mail address
   */
  email: string;
}

export interface ConfirmPasswordResetRequest {
  /**
   * From the link.
   * @maxLength 256
   */
  token: string;
  /**
   * At least 8 characters, at most 72 bytes.
   * @maxLength 1024
   */
  newPassword: string;
}

export interface ExchangeRequest {
  /**
   * Slug of the app.
   * @maxLength 64
   */
  service: string;
}

export interface ExchangeResponse {
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

export interface RegisterRequest {
  /**
   * @maxLength 254
   * @pattern ^[^\s@\u0000]+@[^\s@\u0000]+\.[^\s@\u0000]+$ must be an e-mail address
   */
  email: string;
  /**
   * Letters, digits, `.`, `_` and `-`.
   * @minLength 3
   * @maxLength 64
   * @pattern ^[A-Za-z0-9][A-Za-z0-9._-]*$ must be letters, digits, ., _ or -
   */
  username: string;
  /**
   * At least 8 characters, at most 72 bytes.
   * @maxLength 1024
   */
  password: string;
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern ^[^\u0000-\u001f\u007f]*$ must not contain control characters
   */
  firstName: string;
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern ^[^\u0000-\u001f\u007f]*$ must not contain control characters
   */
  lastName: string;
  plan: 'HOBBY' | 'PRO' | 'ENTERPRISE';
}

export interface ProviderView {
  providerId: string;
  type: string;
}

export interface LoginUrlView {
  /** Authorization URL of the provider. */
  loginUrl: string;
}

export interface OidcLoginView {
  accessToken: string;
  /**
   * Seconds.
   * @isInt
   */
  expiresIn: number;
  tokenType: 'Bearer';
  user: OidcUserView;
}

export interface OidcUserView {
  id: string;
  email: string;
}

/** `token` is the older name of `idpToken`, one of the two is needed. */
export interface ExchangeIdpRequest {
  /** @maxLength 16384 */
  idpToken?: string;
  /** @maxLength 16384 */
  token?: string;
  /**
   * Slug or id of the app; the Shell itself unless given.
   * @maxLength 64
   */
  serviceId?: string;
}
