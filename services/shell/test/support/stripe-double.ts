import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sign } from '../../src/modules/subscriptions/payment/signature.js';

type Params = { [name: string]: string | Params };
type Row = Record<string, unknown> & { id: string; object: string };
interface Answer { readonly status: number; readonly body: object }
type Route = readonly [method: string, pattern: RegExp, run: (double: StripeDouble, params: Params, ids: readonly string[]) => object];

class Refusal extends Error {
  constructor(readonly status: number, readonly error: object) {
    super(JSON.stringify(error));
  }
}
const missing = (what: string): Refusal => new Refusal(404, { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${what}` });
const declined = (): Refusal => new Refusal(402, { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' });
const wrong = (message: string): Refusal => new Refusal(400, { type: 'invalid_request_error', message });
const text = (value: Params[string] | undefined): string => (typeof value === 'string' ? value : '');
const first = (value: Params[string] | undefined): Params => (typeof value === 'object' && typeof value['0'] === 'object' ? value['0'] : {});
const seconds = (date = new Date()): number => Math.floor(date.getTime() / 1000);

/** `items[0][price]=x` as an object. */
function parse(body: string): Params {
  const root: Params = {};
  for (const [name, value] of new URLSearchParams(body)) {
    const keys = name.replace(/\]/g, '').split('[');
    let level = root;
    for (const key of keys.slice(0, -1)) level = (level[key] ??= {}) as Params;
    level[keys.at(-1) ?? ''] = value;
  }
  return root;
}

const ROUTES: readonly Route[] = [
  ['POST', /^\/v1\/products$/, (d, p) => d.put('product', { id: text(p['id']), name: p['name'] })],
  ['POST', /^\/v1\/products\/([^/]+)$/, (d, p, [id]) => Object.assign(d.get('product', id), p)],
  ['POST', /^\/v1\/prices$/, (d, p) => d.put('price', { product: d.get('product', text(p['product'])).id, unit_amount: Number(p['unit_amount']), currency: p['currency'], recurring: p['recurring'], active: true })],
  ['POST', /^\/v1\/prices\/([^/]+)$/, (d, p, [id]) => Object.assign(d.get('price', id), { active: p['active'] === 'true' })],
  ['POST', /^\/v1\/customers$/, (d, p) => d.put('customer', { name: p['name'], email: p['email'], metadata: p['metadata'], invoice_settings: { default_payment_method: null } })],
  ['GET', /^\/v1\/customers\/([^/]+)$/, (d, _p, [id]) => d.get('customer', id)],
  ['POST', /^\/v1\/customers\/([^/]+)$/, (d, p, [id]) => Object.assign(d.get('customer', id), { invoice_settings: p['invoice_settings'] })],
  ['GET', /^\/v1\/customers\/([^/]+)\/payment_methods$/, (d, _p, [id]) => ({ object: 'list', has_more: false, data: d.all('payment_method').filter((row) => row['customer'] === d.get('customer', id).id) })],
  ['GET', /^\/v1\/payment_methods\/([^/]+)$/, (d, _p, [id]) => d.get('payment_method', id)],
  ['POST', /^\/v1\/payment_methods\/([^/]+)\/detach$/, (d, _p, [id]) => Object.assign(d.get('payment_method', id), { customer: null })],
  ['POST', /^\/v1\/setup_intents$/, (d, p) => d.put('setup_intent', { customer: d.get('customer', text(p['customer'])).id, client_secret: `seti_${randomBytes(6).toString('hex')}_secret_x` })],
  ['POST', /^\/v1\/billing_portal\/sessions$/, (d, p) => d.put('billing_portal.session', { customer: d.get('customer', text(p['customer'])).id, url: `https://billing.stripe.test/p/${encodeURIComponent(text(p['return_url']))}` })],
  ['POST', /^\/v1\/checkout\/sessions$/, (d, p) => d.checkout(p)],
  ['POST', /^\/v1\/checkout\/sessions\/([^/]+)\/expire$/, (d, _p, [id]) => d.expire(id)],
  ['POST', /^\/v1\/subscriptions$/, (d, p) => d.subscribe(text(p['customer']), text(first(p['items'])['price']), text(p['default_payment_method']))],
  ['GET', /^\/v1\/subscriptions\/([^/]+)$/, (d, _p, [id]) => d.get('subscription', id)],
  ['POST', /^\/v1\/subscriptions\/([^/]+)$/, (d, p, [id]) => d.change(d.get('subscription', id), p)],
  ['DELETE', /^\/v1\/subscriptions\/([^/]+)$/, (d, _p, [id]) => d.end(d.get('subscription', id))],
];

/** What we use of Stripe's API, in memory: same shapes, same errors, same idempotency. Calls that it does not know fail, and are remembered. */
export class StripeDouble {
  readonly unknown: string[] = [];
  readonly charges: { customer: string; amount: number }[] = [];
  private drop = { path: '', times: 0 };
  private readonly rows = new Map<string, Row>();
  private readonly answers = new Map<string, { request: string; answer: Answer }>();
  private events: object[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<StripeDouble> {
    const server = createServer();
    const double = new StripeDouble(server);
    server.on('request', (request, response) => void double.serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return double;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Does the work and answers nothing, this often: what a timeout looks like. */
  dropAnswersTo(path: string, times: number): void {
    this.drop = { path, times };
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answer = this.answer(request, Buffer.concat(chunks).toString());
    if (this.drop.times > 0 && request.url === this.drop.path) {
      this.drop.times -= 1;
      return void request.socket.destroy();
    }
    response.writeHead(answer.status, { 'content-type': 'application/json', 'request-id': 'req_test' }).end(JSON.stringify(answer.body));
  }

  private answer(request: IncomingMessage, body: string): Answer {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const key = request.headers['idempotency-key'];
    if (typeof key !== 'string' || request.method !== 'POST') return this.route(request.method ?? '', path, body);
    const same = `${path} ${body}`;
    const known = this.answers.get(key);
    if (known !== undefined) return known.request === same ? known.answer : { status: 400, body: { error: { type: 'idempotency_error', message: 'Keys for idempotent requests can only be used with the same parameters they were first used with.' } } };
    const answer = this.route('POST', path, body);
    this.answers.set(key, { request: same, answer });
    return answer;
  }

  private route(method: string, path: string, body: string): Answer {
    for (const [verb, pattern, run] of ROUTES) {
      const match = verb === method ? pattern.exec(path) : null;
      if (match === null) continue;
      try {
        return { status: 200, body: structuredClone(run(this, parse(body), match.slice(1))) };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return { status: error.status, body: { error: error.error } };
      }
    }
    this.unknown.push(`${method} ${path}`);
    return { status: 404, body: { error: { type: 'invalid_request_error', message: `Unrecognized request URL (${method}: ${path})` } } };
  }

  put(object: string, { id, ...row }: Record<string, unknown>): Row {
    const made: Row = { ...row, id: typeof id === 'string' && id !== '' ? id : `${object.replace(/\W/g, '_')}_${randomBytes(8).toString('hex')}`, object };
    if (this.rows.has(made.id)) throw wrong(`${object} already exists`);
    this.rows.set(made.id, made);
    return made;
  }

  get(object: string, id = ''): Row {
    const row = this.rows.get(decodeURIComponent(id));
    if (row?.object !== object) throw missing(object);
    return row;
  }

  all(object: string): Row[] {
    return [...this.rows.values()].filter((row) => row.object === object);
  }

  checkout(p: Params): Row {
    if (p['mode'] !== 'subscription' || first(p['line_items'])['quantity'] !== '1') throw wrong('line_items');
    const session = this.put('checkout.session', { customer: this.get('customer', text(p['customer'])).id, price: this.get('price', text(first(p['line_items'])['price'])).id, success_url: p['success_url'], status: 'open' });
    return Object.assign(session, { url: `https://checkout.stripe.test/c/${session.id}` });
  }

  expire(id = ''): Row {
    const session = this.get('checkout.session', id);
    if (session['status'] !== 'open') throw wrong('Only open sessions can be expired.');
    return Object.assign(session, { status: 'expired' });
  }

  /** What the hosted page does. */
  pay(checkoutUrl: string, pays = true): void {
    const session = this.get('checkout.session', checkoutUrl.split('/').at(-1));
    if (session['status'] !== 'open') throw wrong('This page has expired.');
    const subscription = this.subscribe(String(session['customer']), String(session['price']), this.addCard(String(session['customer']), pays));
    Object.assign(session, { status: 'complete', subscription: subscription.id });
    this.emit('checkout.session.completed', session);
  }

  /** What the card form does; answers the method's id. */
  addCard(customer: string, pays = true): string {
    return this.put('payment_method', { type: 'card', customer, pays, card: { brand: 'visa', last4: pays ? '4242' : '0341', exp_month: 12, exp_year: 2030 } }).id;
  }

  /** Customer of a setup intent. */
  customerOf(clientSecret: string): string {
    return String(this.all('setup_intent').find((row) => row['client_secret'] === clientSecret)?.['customer']);
  }

  subscribe(customer: string, price: string, method: string): Row {
    this.charge(customer, price, method);
    const start = new Date();
    const end = new Date(start);
    end.setUTCDate(end.getUTCDate() + 30);
    const item = { id: `si_${randomBytes(4).toString('hex')}`, price: this.get('price', price), current_period_start: seconds(start), current_period_end: seconds(end) };
    const subscription = this.put('subscription', { customer: this.get('customer', customer).id, status: 'active', cancel_at_period_end: false, default_payment_method: method, items: { object: 'list', data: [item] } });
    this.emit('customer.subscription.created', subscription);
    return subscription;
  }

  change(subscription: Row, p: Params): Row {
    if (subscription['status'] === 'canceled') throw missing('subscription');
    const { data: [item] } = subscription['items'] as { data: { price: Row }[] };
    const price = text(first(p['items'])['price']);
    if (price !== '' && item !== undefined) {
      if (p['proration_behavior'] === 'always_invoice') this.charge(String(subscription['customer']), price, text(p['default_payment_method']) || String(subscription['default_payment_method']));
      item.price = this.get('price', price);
    }
    if (typeof p['cancel_at_period_end'] === 'string') Object.assign(subscription, { cancel_at_period_end: p['cancel_at_period_end'] === 'true' });
    this.emit('customer.subscription.updated', subscription);
    return subscription;
  }

  end(subscription: Row): Row {
    Object.assign(subscription, { status: 'canceled' });
    this.emit('customer.subscription.deleted', subscription);
    return subscription;
  }

  /** A renewal that could not be charged, or could again. */
  setStatus(id: string, status: string): void {
    this.emit('customer.subscription.updated', Object.assign(this.get('subscription', id), { status }));
  }

  private charge(customer: string, price: string, method: string): void {
    const row = this.get('payment_method', method);
    if (row['customer'] !== customer) throw missing('payment_method');
    if (row['pays'] !== true) throw declined();
    this.charges.push({ customer, amount: Number(this.get('price', price)['unit_amount']) });
  }

  private emit(type: string, object: Row): void {
    this.events.push({ id: `evt_${randomBytes(8).toString('hex')}`, object: 'event', type, created: seconds(), data: { object: structuredClone(object) } });
  }

  /** Events since the last call, signed. */
  take(secret: string): { body: string; signature: string }[] {
    const taken = this.events.map((event) => JSON.stringify(event));
    this.events = [];
    return taken.map((body) => ({ body, signature: sign(Buffer.from(body), secret, seconds()) }));
  }
}
