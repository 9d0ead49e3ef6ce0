import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { messageOf, singleLine } from '@satellite/kit/core';
import type { Credentials } from './cluster-access.js';
import { childEnvironment } from './env.js';

export const ExecSettings = z.object({
  apiVersion: z.enum(['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']),
  command: z.string().min(1),
  args: z.array(z.string()).nullish(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
});
export type ExecSettings = z.output<typeof ExecSettings>;

const ExecCredential = z.object({
  status: z.object({ token: z.string().optional(), clientCertificateData: z.string().optional(), clientKeyData: z.string().optional(), expirationTimestamp: z.iso.datetime().optional() }),
});

const LIMIT_MS = 60_000;
/** Credentials are replaced this long before they end. */
const EARLY_MS = 60_000;

/** A command that answers credentials (client.authentication.k8s.io), as cloud providers bring one. */
export class ExecPlugin {
  private kept: { readonly credentials: Promise<Credentials>; until: number } | undefined;

  constructor(
    private readonly settings: ExecSettings,
    private readonly cluster: { readonly server: string; readonly folder: string },
  ) {}

  credentials(): Promise<Credentials> {
    if (!this.kept || this.kept.until < Date.now()) {
      const kept = { credentials: this.ask((until) => (kept.until = until)), until: Number.POSITIVE_INFINITY };
      this.kept = kept;
      // The next one tries again; this one tells its caller.
      kept.credentials.catch(() => (this.kept = undefined));
    }
    return this.kept.credentials;
  }

  private async ask(keepUntil: (time: number) => void): Promise<Credentials> {
    const { apiVersion, command, args, env } = this.settings;
    const info = { apiVersion, kind: 'ExecCredential', spec: { interactive: false, cluster: { server: this.cluster.server } } };
    // A command with a separator is a path, and relative to the kubeconfig.
    const file = command.includes('/') ? resolve(this.cluster.folder, command) : command;
    const own = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value]));
    const options = { timeout: LIMIT_MS, env: childEnvironment({ ...own, KUBERNETES_EXEC_INFO: JSON.stringify(info) }) };
    const { stdout } = await promisify(execFile)(file, args ?? [], options).catch((error: unknown) => {
      const { stderr = '' } = error as { stderr?: string };
      throw new Error(`the credential command ${command} failed: ${singleLine(stderr.trim(), 500) || messageOf(error)}`, { cause: error });
    });
    const { status } = ExecCredential.parse(JSON.parse(stdout));
    if (status.expirationTimestamp !== undefined) keepUntil(Date.parse(status.expirationTimestamp) - EARLY_MS);
    return { authorization: status.token === undefined ? undefined : `Bearer ${status.token}`, cert: status.clientCertificateData, key: status.clientKeyData };
  }
}
