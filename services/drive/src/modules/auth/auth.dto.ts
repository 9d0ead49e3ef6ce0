export interface ExchangeRequest {
  /**
   * A token of the Shell.
   * @maxLength 16384 is no token
   */
  token: string;
}

/** Bare, as OAuth has it. */
export interface ExchangeResponse {
  access_token: string;
  /** Seconds; never longer than the Shell's token lasts. */
  expires_in: number;
  token_type: 'Bearer';
}
