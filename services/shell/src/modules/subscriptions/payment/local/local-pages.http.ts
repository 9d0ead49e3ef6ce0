import express from 'express';
import { PaymentFailed } from '../payment.errors.js';
import { cardChoice, escaped, money, page, STYLESHEET } from './local-html.js';
import { LOCAL_CARDS, type ChargeData, type CheckoutData, type LocalCard, type LocalProcessor, type PriceData, type SubscriptionData } from './local-processor.js';
import type { LocalObject, LocalStore } from './local-store.repository.js';

/** Where the pages are below the platform's address. */
export const LOCAL_PAGES = '/api/local-payment';

/**
 * Checkout, portal and card pages of the local processor: plain HTML forms. Their addresses are the secret, as those
 * of Stripe's pages are; nobody else's page can know one, so there is nothing to forge.
 */
export function localPages(store: LocalStore, processor: LocalProcessor): express.Router {
  const router = express.Router();
  const form = express.urlencoded({ extended: false, limit: '4kb' });
  router.use((_request, response, next) => {
    // no form-action: Chromium applies it to the redirect back to the platform as well
    response.setHeader('Content-Security-Policy', "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'");
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('Cache-Control', 'no-store');
    next();
  });
  router.get('/style.css', (_request, response) => void response.setHeader('Cache-Control', 'public, max-age=3600').type('css').send(STYLESHEET));
  router.get('/checkout/:id', (request, response) => showCheckout(store, request.params.id, response));
  router.post('/checkout/:id', form, (request, response) => pay(store, processor, request.params.id, request, response));
  router.get('/setup/:secret', (request, response) => showSetup(store, request.params.secret, response));
  router.post('/setup/:secret', form, async (request, response) => {
    await processor.confirmSetup(request.params.secret, cardOf(request));
    send(response, 'Card saved', '<p>You can close this page.</p>');
  });
  router.get('/portal/:id', (request, response) => showPortal(store, processor, request.params.id, response));
  router.post('/portal/:id', form, (request, response) => usePortal(store, processor, request.params.id, request, response));
  return router;
}

async function showCheckout(store: LocalStore, id: string, response: express.Response, problem = ''): Promise<void> {
  const session = await store.get<CheckoutData>('checkout', id);
  if (session?.data.status === 'complete') return response.redirect(303, session.data.successUrl);
  if (session?.data.status !== 'open') return gone(response);
  const price = await store.get<PriceData>('price', session.data.priceId);
  const product = await store.get<{ name: string; tagline: string | null }>('product', price?.data.productId ?? '');
  if (price === undefined || product === undefined) return gone(response);
  const { amount, currency, interval } = price.data;
  const alert = problem === '' ? '' : `<p class="error" role="alert">${escaped(problem)} Choose another card.</p>`;
  const body = `<p class="price">${escaped(money(amount, currency))} <span class="muted">every ${interval === 'yearly' ? 'year' : 'month'}</span></p>${product.data.tagline === null ? '' : `<p>${escaped(product.data.tagline)}</p>`}${alert}
<form method="post">${cardChoice()}<div class="row"><button type="submit">Pay ${escaped(money(amount, currency))}</button><a class="button plain" href="${escaped(session.data.cancelUrl)}">Cancel</a></div></form>`;
  send(response.status(problem === '' ? 200 : 402), `Subscribe to ${product.data.name}`, body);
}

async function pay(store: LocalStore, processor: LocalProcessor, id: string, request: express.Request, response: express.Response): Promise<void> {
  try {
    const paid = await processor.payCheckout(id, cardOf(request));
    if (paid === undefined) return gone(response);
    response.redirect(303, paid.successUrl);
  } catch (error) {
    if (!(error instanceof PaymentFailed)) throw error;
    await showCheckout(store, id, response, error.message);
  }
}

async function showSetup(store: LocalStore, secret: string, response: express.Response): Promise<void> {
  if ((await store.get('setup', secret)) === undefined) return gone(response);
  send(response, 'Save a card', `<form method="post">${cardChoice()}<button type="submit">Save</button></form>`);
}

async function showPortal(store: LocalStore, processor: LocalProcessor, id: string, response: express.Response): Promise<void> {
  const session = await store.get<{ returnUrl: string }>('portal', id);
  if (session?.customerId == null) return gone(response);
  const live = await liveSubscription(store, session.customerId);
  const methods = await processor.paymentMethods(session.customerId);
  const cards = methods.map(({ brand, last4, isDefault }) => `<li>${escaped(`${brand} ending in ${last4}`)}${isDefault ? ' <span class="muted">default</span>' : ''}</li>`).join('');
  const body = `<h2>Subscription</h2>${live === undefined ? '<p>There is none.</p>' : subscriptionForm(live)}
<h2>Cards</h2>${cards === '' ? '<p>There are none.</p>' : `<ul>${cards}</ul>`}<form method="post">${cardChoice()}<button name="do" value="add">Add card</button></form>
<h2>Invoices</h2>${invoiceList(await store.list<ChargeData>('charge', session.customerId))}
<p><a class="button plain" href="${escaped(session.data.returnUrl)}">Back to the platform</a></p>`;
  send(response, 'Billing', body);
}

function subscriptionForm({ data: { end, cancelAtPeriodEnd } }: LocalObject<SubscriptionData>): string {
  const day = escaped(end.slice(0, 10));
  const [text, action, label] = cancelAtPeriodEnd ? [`Ends on ${day}.`, 'keep', 'Keep it'] : [`Renews on ${day}.`, 'cancel', 'Cancel at the end of the period'];
  return `<p>${text}</p><form method="post"><button class="plain" name="do" value="${action}">${label}</button></form>`;
}

/** Newest first. */
function invoiceList(charges: readonly LocalObject<ChargeData>[]): string {
  const rows = charges.toReversed().map(({ id, data: { name, amount, currency, interval, at } }) => {
    const day = new Date(at).toLocaleDateString('en', { dateStyle: 'medium', timeZone: 'UTC' });
    return `<li><span>${escaped(`${day}: ${name}, one ${interval === 'yearly' ? 'year' : 'month'}`)}<br><span class="muted">${escaped(id)}</span></span><span>${escaped(money(amount, currency))} <span class="muted">paid</span></span></li>`;
  });
  return rows.length === 0 ? '<p>There are none.</p>' : `<ul>${rows.join('')}</ul>`;
}

async function usePortal(store: LocalStore, processor: LocalProcessor, id: string, request: express.Request, response: express.Response): Promise<void> {
  const session = await store.get('portal', id);
  if (session?.customerId == null) return gone(response);
  const live = await liveSubscription(store, session.customerId);
  const action = fieldOf(request, 'do');
  if (action === 'add') await processor.confirmSetup(await processor.setup(session.customerId), cardOf(request));
  else if (live !== undefined && (action === 'cancel' || action === 'keep')) await processor.setCancelAtPeriodEnd(live.id, action === 'cancel');
  response.redirect(303, request.originalUrl);
}

async function liveSubscription(store: LocalStore, customerId: string): Promise<LocalObject<SubscriptionData> | undefined> {
  return (await store.list<SubscriptionData>('subscription', customerId)).findLast(({ data }) => data.status !== 'ended');
}

function fieldOf(request: express.Request, name: string): unknown {
  return (request.body as Record<string, unknown> | undefined)?.[name];
}

function cardOf(request: express.Request): LocalCard {
  const card = fieldOf(request, 'card');
  return typeof card === 'string' && Object.hasOwn(LOCAL_CARDS, card) ? (card as LocalCard) : 'visa';
}

function gone(response: express.Response): void {
  send(response.status(404), 'Nothing here', '<p>This page has expired. Go back to the platform and begin again.</p>');
}

function send(response: express.Response, title: string, body: string): void {
  response.type('html').send(page(title, `${LOCAL_PAGES}/style.css`, body));
}
