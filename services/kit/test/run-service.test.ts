import { Agent, request, type IncomingMessage, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen, type Listening } from '@satellite/kit/service';
import { createLogger } from '@satellite/kit/telemetry';

const DELAY_MS = 5_000;

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
  readonly connection: string | undefined;
}

/** A service whose path /held is answered when the test lets it. */
class Held {
  readonly said: string[] = [];
  release: () => void = () => undefined;
  endDelay: () => void = () => undefined;
  readonly arrived: Promise<void>;
  private arrive: () => void = () => undefined;
  private readonly agent = new Agent({ keepAlive: true });

  constructor() {
    this.arrived = new Promise((resolve) => (this.arrive = resolve));
  }

  readonly app: RequestListener = (incoming, response) => {
    if (incoming.url !== '/held') return void response.end('ok');
    this.release = () => response.end('late, but whole');
    this.arrive();
  };

  private readonly delay = (ms: number): Promise<void> => {
    expect(ms).toBe(DELAY_MS);
    return new Promise((resolve) => (this.endDelay = resolve));
  };

  start(): Promise<Listening> {
    const logger = createLogger({ service: 'held', level: 'silent' });
    return listen({ name: 'held', app: this.app, logger, host: '127.0.0.1', port: 0, stopDelayMs: DELAY_MS, drain: () => void this.said.push('drained'), close: () => Promise.resolve(void this.said.push('closed')) }, this.delay);
  }

  get(port: number, path: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const call = request({ host: '127.0.0.1', port, path, agent: this.agent }, (response: IncomingMessage) => {
        text(response).then((body) => resolve({ status: response.statusCode, body, connection: response.headers.connection }), reject);
      });
      call.once('error', reject).end();
    });
  }
}

describe('a service that is asked to stop', () => {
  it('says that it is not ready and goes on serving, then ends what runs, then closes', async () => {
    const service = new Held();
    const { port, stop } = await service.start();
    expect(await service.get(port, '/readyz')).toMatchObject({ status: 200, connection: 'keep-alive' });
    const held = service.get(port, '/held');
    await service.arrived;

    const stopped = stop().then(() => service.said.push('stopped'));
    expect(service.said).toEqual(['drained']);
    expect(await service.get(port, '/readyz')).toEqual({ status: 503, body: 'stopping\n', connection: 'close' });
    expect(await service.get(port, '/other')).toEqual({ status: 200, body: 'ok', connection: 'close' });

    service.endDelay();
    await refused(() => service.get(port, '/other'));
    expect(service.said).toEqual(['drained']); // one request still runs
    service.release();
    expect(await held).toMatchObject({ status: 200, body: 'late, but whole' });
    await stopped;
    expect(service.said).toEqual(['drained', 'closed', 'stopped']);
  });
});

/** Resolves once nobody takes connections any more. */
async function refused(call: () => Promise<unknown>): Promise<void> {
  for (;;) {
    const error = await call().then(() => undefined, (reason: NodeJS.ErrnoException) => reason);
    if (error?.code === 'ECONNREFUSED') return;
  }
}
