/** A time as metav1.MicroTime: exactly six digits of a second, anything else is refused by the API server. */
export function microTime(epochMs: number): string {
  return new Date(epochMs).toISOString().replace(/\.(\d{3})Z$/, '.$1000Z');
}
