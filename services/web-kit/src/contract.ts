/** An entry of the page that an app contributes to menus and to the command palette before its code is loaded. */
export interface AppNavigation {
  readonly title: string;
  /** Below the app's own address; begins with a slash. */
  readonly path: string;
  /** Shown only to people who hold it. */
  readonly permission?: string;
  readonly icon?: string;
}

/** What an app says to front-ends beside its name and addresses; free otherwise. */
export interface AppMetadata {
  readonly navigation?: readonly AppNavigation[];
  /** Permission codes that it declares. */
  readonly permissions?: readonly string[];
  /** `platform`: comes with the platform; `sample`: shows what an app is, and can be removed. Others are somebody's own. */
  readonly origin?: string;
}

/** An app as `GET /api/config/apps` lists it. */
export interface AppInfo {
  readonly slug: string;
  readonly name: string;
  readonly type: string;
  /** Base address of its API, absolute or below the platform's origin. */
  readonly apiUrl: string;
  readonly uiUrl: string | null;
  readonly icon: string | null;
  readonly description: string | null;
  readonly category: string | null;
  /** Address of its remoteEntry.js; null when it has no page. */
  readonly remoteEntry: string | null;
  readonly version: string | null;
  /** `degraded`: it may not work at the moment. */
  readonly status?: 'active' | 'degraded';
  readonly metadata: AppMetadata;
}

/** Who is signed in, as remotes may know it. */
export interface ShellUser {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly organization: { readonly id: string; readonly name: string };
  /** Names of roles. */
  readonly roles: readonly string[];
  /** Codes such as `users:list`. */
  readonly permissions: readonly string[];
}

/** What the Shell gives to every remote. */
export interface ShellContext {
  readonly user: ShellUser;
  /** BCP 47, such as `en`. */
  readonly locale: string;
  readonly colorScheme: 'light' | 'dark';
}

/** What the default export of a remote's `./App` is rendered with. */
export interface RemoteProps {
  readonly app: AppInfo;
  /** Where the Shell has mounted the app, such as `/apps/drive`; its own routes are below. */
  readonly basePath: string;
  readonly shell: ShellContext;
}

/** Name of the BroadcastChannel between the Shell and the remotes (interface, section 6.2). */
export const AUTH_CHANNEL = 'platform-auth';

/** Sent at sign-in, at each refresh, when a remote was mounted, and with null at sign-out. */
export interface TokenUpdate {
  readonly type: 'TOKEN_UPDATE';
  readonly shellToken: string | null;
  readonly idpToken: string | null;
}
