import { addressOf, named, type Operation } from './operations.js';

export interface MatrixAnswer {
  readonly status: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever the service answers
  readonly body: any;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends an operation as this bearer, or as nobody. */
export type SendOperation = (operation: Operation, token: string | undefined, address: string, body?: object) => PromiseLike<MatrixAnswer>;

/**
 * Without a token only listed operations answer; everything else is 401, whatever comes as a token.
 * @param open operations that anybody may call, and why
 */
export function describeAnonymous(operations: readonly Operation[], open: ReadonlyMap<string, string>, send: SendOperation): void {
  describe('without a token', () => {
    it('only the listed operations answer', () => {
      expect(operations.filter(({ isPublic, isOptional, name }) => (isPublic || isOptional) && !open.has(name)).map(({ name }) => name)).toEqual([]);
    });

    it.each(named(operations.filter(({ isPublic, isOptional }) => !isPublic && !isOptional)))('%s answers 401', async (_name, operation) => {
      for (const token of [undefined, 'not.a.token']) {
        const { status, headers, body } = await send(operation, token, addressOf(operation));
        expect([status, headers['www-authenticate'], body.error.code]).toEqual([401, 'Bearer', 'UNAUTHORIZED']);
      }
    });
  });
}

/** Somebody, and what they may do. */
export interface Bearer {
  readonly name: string;
  readonly permissions: readonly string[];
  readonly token: () => string;
}

/** Every operation for every bearer: 403 naming the permission to who lacks it, and never 401 or 403 to who has it. */
export function describeBearers(operations: readonly Operation[], bearers: readonly Bearer[], send: SendOperation): void {
  describe.each(bearers.map((bearer) => [bearer.name, bearer] as const))('as %s', (_bearer, { permissions, token }) => {
    it.each(named(operations.filter(({ isPublic, isForServices }) => !isPublic && !isForServices)))('%s', async (_name, operation) => {
      const { status, body } = await send(operation, token(), addressOf(operation));
      const missing = operation.permissions.find((permission) => !permissions.includes(permission));
      expect(status).toBeLessThan(500);
      if (missing === undefined) expect([401, 403]).not.toContain(status);
      else expect([status, body.error]).toEqual([403, expect.objectContaining({ code: 'FORBIDDEN', details: { reason: 'auth.permission_denied', permission: missing } })]);
    });
  });
}

/** How to name somebody else's rows in an operation, with a body that would be fine were they one's own. */
export interface ForeignCall {
  readonly values: Readonly<Record<string, string>>;
  readonly body?: object;
}

export interface ForeignRows<Belongings> {
  /** What one organization has. */
  readonly belongings: () => Belongings;
  /** Operations with path parameters that an organization owns. */
  readonly owned: Readonly<Record<string, (a: Belongings) => ForeignCall>>;
  /** Operations with path parameters that no organization owns, and whose they are. */
  readonly others: Readonly<Record<string, string>>;
  /** Of somebody of another organization who may do everything there. */
  readonly stranger: () => string;
  /** Everything of the organization as text, to see that nothing moved. */
  readonly snapshot: () => Promise<string>;
}

/** Rows of another organization are 404, exactly as rows that nobody has, and nothing of them moves. */
export function describeForeign<Belongings>(operations: readonly Operation[], { belongings, owned, others, stranger, snapshot }: ForeignRows<Belongings>, send: SendOperation): void {
  it('every operation with path parameters says whose they are', () => {
    const listed = new Set([...Object.keys(owned), ...Object.keys(others)]);
    const existing = operations.filter(({ parameters }) => parameters.length > 0).map(({ name }) => name);
    expect(existing.filter((name) => !listed.has(name))).toEqual([]);
    expect([...listed].filter((name) => !existing.includes(name))).toEqual([]);
  });

  it.each(named(operations.filter(({ name }) => name in owned)))('%s answers 404 for what others have, as for what nobody has', async (name, operation) => {
    const { values, body } = owned[name]?.(belongings()) ?? { values: {} };
    expect(Object.keys(values).sort()).toEqual([...operation.parameters].sort());
    const before = await snapshot();
    const foreign = await send(operation, stranger(), addressOf(operation, values), body);
    const unknown = await send(operation, stranger(), addressOf(operation), body);
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect(withoutIds(foreign)).toEqual(withoutIds(unknown));
    expect(await snapshot()).toBe(before);
  });
}

function withoutIds({ body }: MatrixAnswer): object {
  return { ...body.error, requestId: '', details: body.error.details.reason };
}
