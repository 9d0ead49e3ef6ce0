/** Waits until the condition holds, looking often; fails with what it last saw. */
export async function until<T>(look: () => T | Promise<T>, holds: (value: T) => boolean, options: { readonly limitMs?: number; readonly what?: string } = {}): Promise<T> {
  const deadline = Date.now() + (options.limitMs ?? 10_000);
  for (;;) {
    const value = await look();
    if (holds(value)) return value;
    if (Date.now() > deadline) throw new Error(`${options.what ?? 'the condition'} did not come true in ${options.limitMs ?? 10_000} ms; last seen: ${JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner), 1)}`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}
