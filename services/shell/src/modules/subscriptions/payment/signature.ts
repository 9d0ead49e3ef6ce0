import { createHmac, timingSafeEqual } from 'node:crypto';

/** How far the time of an event may be from ours, either way: what is older was recorded, what is newer is forged. */
export const TOLERANCE_SECONDS = 300;

/** `t=<seconds>,v1=<HMAC-SHA256 of "t.body" in hex>`, as Stripe writes it. */
export function sign(body: Buffer, secret: string, seconds: number): string {
  return `t=${seconds},v1=${digest(body, secret, String(seconds))}`;
}

/** True when one of the signatures is right and its time is near. */
export function isSigned(body: Buffer, header: string, secret: string, nowSeconds: number): boolean {
  const time = timeOf(header);
  if (time === undefined || Math.abs(nowSeconds - time) > TOLERANCE_SECONDS) return false;
  const expected = Buffer.from(digest(body, secret, String(time)));
  return header
    .split(',')
    .filter((part) => part.startsWith('v1='))
    .some((part) => {
      const given = Buffer.from(part.slice(3));
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
}

/** Time of a signature header in seconds; undefined when it has none. */
export function timeOf(header: string): number | undefined {
  const text = header.split(',').find((part) => part.startsWith('t='))?.slice(2) ?? '';
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

function digest(body: Buffer, secret: string, time: string): string {
  return createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
}
