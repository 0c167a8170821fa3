import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { catalogRoutes } from './catalog.ts';
import { checkoutRoutes } from './checkout-routes.ts';
import { couponRoutes } from './coupons.ts';
import { customerRoutes } from './customers.ts';
import { eventRoutes } from './event-routes.ts';
import { decodeForm, paging } from './form.ts';
import { expanded, pageOf } from './lists.ts';
import { Refused } from './refused.ts';
import { type Route, route } from './route.ts';
import { apiVersion, newId, type Shop } from './shop.ts';
import { subscriptionRoutes } from './subscription-routes.ts';

/** The one webhook of the shop: the server that shows its pages. */
const webhookRoutes: Route[] = [
  route('GET /v1/webhook_endpoints', paging, ({ pages_url }, form) => {
    const webhook = {
      id: 'we_1TestShopWebhook',
      object: 'webhook_endpoint',
      api_version: apiVersion,
      application: null,
      created: 0,
      description: null,
      enabled_events: ['*'],
      livemode: false,
      metadata: {},
      status: 'enabled',
      url: new URL('/api/stripe/webhook', pages_url).href,
    };
    return pageOf([webhook], '/v1/webhook_endpoints', form);
  }),
];

const accountRoutes: Route[] = [
  route('GET /v1/account', {}, ({ state }) => ({
    id: state.account_id,
    object: 'account',
    business_profile: { name: 'Test shop', url: null },
    charges_enabled: true,
    country: 'US',
    default_currency: 'usd',
    details_submitted: true,
    email: null,
    metadata: {},
    payouts_enabled: true,
    type: 'standard',
  })),
];

const routes = [
  ...accountRoutes,
  ...catalogRoutes,
  ...couponRoutes,
  ...customerRoutes,
  ...checkoutRoutes,
  ...subscriptionRoutes,
  ...eventRoutes,
  ...webhookRoutes,
];

interface HttpDeps {
  /** Runs `work` at the current time; resolves with its result after that is stored. */
  at<T>(work: (shop: Shop) => T): Promise<T>;
  /** Called for every authenticated call, as `GET /v1/prices`. */
  logCall(call: string): void;
}

/** Stripe's HTTP interface: authentication, routing, and the envelope of every answer. */
export async function answerCall({ at, logCall }: HttpDeps, request: IncomingMessage, reply: ServerResponse): Promise<void> {
  const { pathname, search } = new URL(request.url ?? '/', 'http://till');
  const method = request.method ?? 'GET';
  const body = await bodyOf(request);
  const id = newId('req', 14);
  const key = headerOf(request, 'idempotency-key');
  const headers: Record<string, string> = { 'content-type': 'application/json', 'request-id': id, 'stripe-version': apiVersion };
  if (key) headers['idempotency-key'] = key;
  const send = (status: number, answer: object) => reply.writeHead(status, headers).end(`${JSON.stringify(answer, null, 2)}\n`);
  try {
    const { answer, replayed } = await at((shop) => {
      authenticate(shop, request);
      logCall(`${method} ${pathname}`);
      shop.call = { id, idempotency_key: key ?? null };
      const work = () => answerTo(shop, method, pathname, method === 'POST' ? body : search.slice(1));
      return method === 'POST' && key ? answerOnce(shop, key, `${method} ${pathname} ${body}`, work) : { answer: work(), replayed: false };
    });
    if (replayed) headers['idempotent-replayed'] = 'true';
    send(200, answer);
  } catch (reason) {
    if (!(reason instanceof Refused)) throw reason;
    send(reason.status, reason.body);
  }
}

function answerTo(shop: Shop, method: string, path: string, form: string): object {
  for (const route of routes) {
    const [, id = ''] = route.path.exec(path) ?? [undefined];
    if (route.method !== method || !route.path.test(path)) continue;
    const { answer, expand } = route.run(shop, decodeForm(form), id);
    return expanded(shop, answer, expand);
  }
  throw new Refused(404, `This shop does not know ${method} ${path}.`);
}

/** A repeated idempotency key gets the first answer again, without another effect. */
function answerOnce({ state, now }: Shop, key: string, requestText: string, work: () => object): { answer: object; replayed: boolean } {
  const earlierReplay = Object.hasOwn(state.replays, key) ? state.replays[key] : undefined;
  if (earlierReplay && earlierReplay.asked !== requestText) {
    throw new Refused(400, 'This Idempotency-Key was used for something else.', { type: 'idempotency_error' });
  }
  if (earlierReplay) return { answer: earlierReplay.answer, replayed: true };
  const answer = work();
  state.replays[key] = { asked: requestText, answer, at: now };
  return { answer, replayed: false };
}

/** Accepts the key as bearer token or as the user name of HTTP Basic, and only one API version. */
function authenticate({ state }: Shop, request: IncomingMessage): void {
  const [scheme, credentials = ''] = (request.headers.authorization ?? '').split(' ');
  const basic = () => Buffer.from(credentials, 'base64').toString('utf8').split(':')[0] ?? '';
  const token = Buffer.from(scheme === 'Bearer' ? credentials : scheme === 'Basic' ? basic() : '');
  const expected = Buffer.from(state.secret_key);
  if (token.length !== expected.length || !timingSafeEqual(token, expected))
    throw new Refused(401, 'This is not the key of the test shop.');
  const version = headerOf(request, 'stripe-version') ?? apiVersion;
  if (version !== apiVersion) throw new Refused(400, `The test shop speaks ${apiVersion}, and was asked for ${version}.`);
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) {
    body += chunk as string;
    if (body.length > 200_000) throw new Error('that is no order');
  }
  return body;
}
