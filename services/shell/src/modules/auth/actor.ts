/** A signed-in person, as of this request. */
export interface UserActor {
  readonly kind: 'user';
  readonly userId: string;
  readonly organizationId: string;
  readonly sessionId: string;
  readonly roles: readonly string[];
  readonly permissions: ReadonlySet<string>;
}

/** A service that holds a token for the gateway (aud = shell-rbac). */
export interface ServiceActor {
  readonly kind: 'service';
  readonly clientId: string;
  readonly permissions: ReadonlySet<string>;
}
