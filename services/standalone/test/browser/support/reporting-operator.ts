import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stage } from './stage.js';

/** What an operator found of an app. */
interface Finding {
  readonly degraded: boolean;
  readonly message: string;
}

/** As another cluster's operator would: registers apps of its own and reports what it finds of them. */
export class ReportingOperator {
  private readonly uid = randomUUID();

  private constructor(private readonly token: string) {}

  static async signedIn(): Promise<ReportingOperator> {
    const { operatorClientSecret } = JSON.parse(await readFile(join(stage().folder, 'secrets.json'), 'utf8')) as { operatorClientSecret: string };
    const { data } = await posted<{ data: { accessToken: string } }>('/api/auth/service-token', { clientId: 'operator', clientSecret: operatorClientSecret });
    return new ReportingOperator(data.accessToken);
  }

  async registers(slug: string, name: string): Promise<void> {
    await this.calls('ApplyApp', { app: { slug, name, type: 'satellite', apiUrl: `/samples/${slug}/api`, organizations: { all: true } }, source: this.source(slug) });
  }

  async finds(slug: string, { degraded, message }: Finding): Promise<void> {
    const conditions = [{ type: 'Ready', status: degraded ? 'False' : 'True', reason: degraded ? 'APIUnreachable' : 'Registered', message, lastTransitionTime: new Date().toISOString(), observedGeneration: '1' }];
    await this.calls('ReportApp', { slug, source: this.source(slug), report: { digest: randomUUID(), conditions, observedGeneration: '1', degraded } });
  }

  async removes(slug: string): Promise<void> {
    await this.calls('RemoveApp', { slug, source: this.source(slug) });
  }

  private source(slug: string): object {
    return { uid: `${this.uid}-${slug}`, generation: '1', namespace: 'elsewhere', name: slug, installation: 'elsewhere' };
  }

  private async calls(method: string, body: object): Promise<void> {
    await posted(`/api/registry.v1.AppRegistry/${method}`, body, this.token);
  }
}

async function posted<T>(path: string, body: object, token?: string): Promise<T> {
  const answer = await fetch(`${stage().url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) }, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`POST ${path} answers ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}
