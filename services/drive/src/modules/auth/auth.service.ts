import type { ShellConnection } from '@satellite/kit/auth';
import { permissionsOf } from '../../permissions.js';
import { ExchangeRequired, UserSuspended, type UsersRepository, type UsersService } from '../users/index.js';
import type { Actor } from '../../actor.js';

/** A token for Drive, in the words of OAuth. */
export interface DriveToken {
  readonly accessToken: string;
  /** Seconds. */
  readonly expiresIn: number;
}

export interface AuthServiceDeps {
  readonly shell: ShellConnection;
  readonly users: UsersService;
  readonly standings: Pick<UsersRepository, 'standingOf'>;
}

/** Who somebody is. The Shell says who they are and whether they may come; Drive says what they may do here. */
export class AuthService {
  constructor(private readonly deps: AuthServiceDeps) {}

  /** A token for Drive in place of one of the Shell; who comes for the first time becomes a user. Throws TokenRefused, AppNotEnabled, UserSuspended or ShellUnavailable. */
  async exchange(shellToken: string): Promise<DriveToken> {
    const { claims, token } = await this.deps.shell.admit(shellToken);
    const { sub, organizationId, roles } = claims;
    await this.deps.shell.assertStanding({ userId: sub, organizationId });
    await this.deps.users.admit({ shellUserId: sub, organizationId, email: textOf(claims['email']) ?? sub, name: nameOf(claims) }, roles);
    return token;
  }

  /** The person behind a token, as Drive knows them at this moment. Throws TokenRefused, AppNotEnabled, ExchangeRequired, UserSuspended or ShellUnavailable. */
  async actorOf(token: string): Promise<Actor> {
    const { shell, standings } = this.deps;
    const { sub, organizationId } = await shell.personOf(token);
    const [standing] = await Promise.all([standings.standingOf(organizationId, sub), shell.assertStanding({ userId: sub, organizationId })]);
    if (standing === undefined) throw new ExchangeRequired();
    if (standing.status === 'suspended') throw new UserSuspended();
    return { id: standing.id, shellUserId: sub, organizationId, email: standing.email, permissions: permissionsOf(standing.roleIds), isAdmin: standing.roleIds.includes('admin') };
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

function nameOf({ firstName, lastName }: Readonly<Record<string, unknown>>): string | null {
  return [firstName, lastName].flatMap((part) => textOf(part) ?? []).join(' ').slice(0, 200) || null;
}
