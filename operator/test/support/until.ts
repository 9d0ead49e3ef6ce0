/** Waits until the condition holds, looking often; fails with what it last saw. */
export async function until<T>(look: () => T | Promise<T>, holds: (value: T) => boolean, options: { readonly limitMs?: number; readonly what?: string } = {}): Promise<T> {
  const { limitMs = 30_000, what = 'the condition' } = options;
  const deadline = Date.now() + limitMs;
  for (;;) {
    const value = await look();
    if (holds(value)) return value;
    if (Date.now() > deadline) throw new Error(`${what} did not come true in ${limitMs} ms; last seen: ${shown(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

function shown(value: unknown): string {
  return (JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? 'undefined').slice(0, 4000);
}
