import { z } from 'zod';
import { InvalidFields, messageOf } from '@satellite/kit/core';
import type { OutboundDoor, OutboundResponse } from '@satellite/kit/outbound';
import { UnusableRemote } from './apps.errors.js';
import { isAppUrl, parseApp, type DesiredApp } from './app.rules.js';

const DESCRIPTOR = 'satellite.json';
const MANIFEST = 'mf-manifest.json';
const LIMITS = { maxBytes: 256 * 1024, timeoutMs: 10_000, maxRedirects: 3 };

const Manifest = z.object({ name: z.string().min(1).max(128), exposes: z.array(z.object({ path: z.string().max(128) })).max(100).default([]) });

/**
 * Reads what a remote says of itself: `<uiUrl>/satellite.json` (required, the fields of a registry entry) and
 * `<uiUrl>/mf-manifest.json` (where the remote has one: its federation name and the module it exposes).
 */
export class RemoteDescriptor {
  constructor(private readonly door: OutboundDoor) {}

  /** Throws InvalidFields, an outbound error or UnusableRemote; what it answers has passed the registry's rules. */
  async read(uiUrl: string, slug: string | undefined): Promise<DesiredApp> {
    if (!/^https?:\/\//i.test(uiUrl) || !isAppUrl(uiUrl)) throw new InvalidFields([{ field: 'uiUrl', message: 'must be an http(s) address without credentials, query or fragment' }]);
    const base = uiUrl.replace(/\/*$/, '/');
    const descriptor = await this.descriptor(base);
    const federation = await this.federation(base);
    const given = { ...descriptor, uiUrl: base.slice(0, -1), apiUrl: resolved(descriptor['apiUrl'], base), ...(slug !== undefined && { slug }), metadata: { ...federation, ...objectOf(descriptor['metadata']) } };
    try {
      return parseApp(given);
    } catch (error) {
      if (!(error instanceof InvalidFields)) throw error;
      throw new UnusableRemote('apps.remote_descriptor_invalid', `${base}${DESCRIPTOR} is not a usable descriptor. ${error.message}`, { fields: error.fields });
    }
  }

  private async descriptor(base: string): Promise<Record<string, unknown>> {
    const answer = await this.door.fetch(`${base}${DESCRIPTOR}`, { ...LIMITS, headers: { accept: 'application/json' } });
    if (answer.status !== 200) throw new UnusableRemote('apps.remote_descriptor_missing', `${base}${DESCRIPTOR} answers with status ${answer.status}. Serve the app's descriptor there as JSON.`, { status: answer.status });
    const value = jsonOf(answer, DESCRIPTOR, 'apps.remote_descriptor_invalid');
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new UnusableRemote('apps.remote_descriptor_invalid', `${base}${DESCRIPTOR} must be a JSON object with slug, name, type and apiUrl.`);
    return value as Record<string, unknown>;
  }

  private async federation(base: string): Promise<Record<string, unknown>> {
    const answer = await this.door.fetch(`${base}${MANIFEST}`, { ...LIMITS, headers: { accept: 'application/json' } });
    // single-page servers answer 200 with their index page for files that do not exist
    if (answer.status !== 200 || !/json/i.test(answer.headers['content-type'] ?? '')) return {};
    const manifest = Manifest.safeParse(jsonOf(answer, MANIFEST, 'apps.remote_manifest_invalid'));
    if (!manifest.success) throw new UnusableRemote('apps.remote_manifest_invalid', `${base}${MANIFEST} is not a module federation manifest: name or exposes is missing.`);
    const [exposed] = manifest.data.exposes;
    return { remoteName: manifest.data.name, ...(exposed && { exposedModule: exposed.path }) };
  }
}

function jsonOf(answer: OutboundResponse, file: string, code: UnusableRemote['code']): unknown {
  try {
    return JSON.parse(answer.body.toString('utf8'));
  } catch (error) {
    throw new UnusableRemote(code, `${file} of ${new URL(answer.url).host} is not JSON: ${messageOf(error).slice(0, 120)}`);
  }
}

/** A relative apiUrl of a remote is relative to the remote, not to the platform. */
function resolved(apiUrl: unknown, base: string): unknown {
  return typeof apiUrl === 'string' && apiUrl.startsWith('/') && URL.canParse(apiUrl, base) ? new URL(apiUrl, base).href : apiUrl;
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
