import ipaddr from 'ipaddr.js';

/**
 * Blocks that ipaddr.js counts as ordinary unicast but that reach private hosts all the same:
 * IPv4-compatible addresses (RFC 4291, deprecated) and site-local (RFC 3879, deprecated).
 */
const EXTRA_REFUSED: readonly [ipaddr.IPv6, number][] = [ipaddr.IPv6.parseCIDR('::/96'), ipaddr.IPv6.parseCIDR('fec0::/10')];

/** True for an address of the public internet; everything else (RFC 6890 special purpose, mapped, 6to4, NAT64, …) is not. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text); // ::ffff:a.b.c.d counts as a.b.c.d
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || !EXTRA_REFUSED.some((block) => (address as ipaddr.IPv6).match(block));
}

/**
 * Host patterns of a deployment: `host`, `host:port` or `*.suffix`.
 * A listed host may have a private address; a pattern without a port means every port.
 */
export class HostAllowList {
  private readonly patterns: readonly string[];

  constructor(patterns: readonly string[]) {
    this.patterns = patterns.map((pattern) => pattern.trim().toLowerCase()).filter((pattern) => pattern !== '');
  }

  allows(url: URL): boolean {
    const host = url.hostname.toLowerCase();
    const port = url.port || (url.protocol === 'https:' ? '443' : '80');
    return this.patterns.some((pattern) => matches(pattern, host, port));
  }
}

function matches(pattern: string, host: string, port: string): boolean {
  const [, name = pattern, wantedPort] = /^(.*?)(?::(\d+))?$/.exec(pattern) ?? [];
  if (wantedPort !== undefined && wantedPort !== port) return false;
  return name.startsWith('*.') ? host.endsWith(name.slice(1)) && host.length > name.length - 1 : host === name;
}
