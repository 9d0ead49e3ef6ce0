import type { AuditAction } from '../audit/index.js';
import type { AuthRepository } from './auth.repository.js';
import type { SignedIn } from './auth.service.js';
import { InvalidGrant } from './auth.errors.js';
import type { PasswordHasher } from './password-hasher.js';
import { assertUsablePassword } from './passwords.js';
import type { ClientInfo, SessionsService } from './sessions.service.js';

export type RegistrationPlan = 'HOBBY' | 'PRO' | 'ENTERPRISE';

export interface Registration {
  readonly email: string;
  readonly username: string;
  readonly password: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly plan: RegistrationPlan;
}

/** Makes organizations; the organizations module supplies it. */
export interface OrganizationProvisioner {
  provision(input: {
    readonly name: string;
    readonly type: string;
    readonly plan: string;
    readonly owner: { readonly email: string; readonly username: string; readonly firstName: string; readonly lastName: string; readonly passwordHash: string | null };
    readonly action: AuditAction;
  }): Promise<{ readonly organizationId: string; readonly userId: string }>;
}

/** People who come on their own. */
export class RegistrationService {
  constructor(
    private readonly organizations: OrganizationProvisioner,
    private readonly people: AuthRepository,
    private readonly hasher: PasswordHasher,
    private readonly sessions: SessionsService,
  ) {}

  /** Throws InvalidFields for an unusable password, and what the organizations module throws for names in use. */
  async register(input: Registration, client: ClientInfo): Promise<SignedIn> {
    assertUsablePassword('password', input.password);
    const passwordHash = await this.hasher.hash(input.password);
    const { email, username, firstName, lastName, plan } = input;
    const { userId } = await this.organizations.provision({ name: `${firstName} ${lastName}`.trim().slice(0, 200), type: 'individual', plan, action: 'auth.register', owner: { email, username, firstName, lastName, passwordHash } });
    const person = await this.people.findPerson(userId);
    if (!person) throw new InvalidGrant();
    const { id, organizationId } = person;
    return { ...(await this.sessions.start(person, client, null)), user: { id, email: person.email, username: person.username, organizationId } };
  }
}
