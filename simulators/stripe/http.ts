import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { accountRoutes } from './account-route.ts';
import { catalogRoutes } from './catalog.ts';
import { checkoutRoutes } from './checkout-routes.ts';
import { couponRoutes } from './coupons.ts';
import { customerRoutes } from './customers.ts';
import { eventRoutes } from './event-routes.ts';
import { decodeForm } from './form.ts';
import { expanded } from './lists.ts';
import { Refused } from './refused.ts';
import { apiVersion, newId, type Shop } from './shop.ts';
import { subscriptionRoutes } from './subscription-routes.ts';

const routes = [
  ...accountRoutes,
  ...catalogRoutes,
  ...couponRoutes,
  ...customerRoutes,
  ...checkoutRoutes,
  ...subscriptionRoutes,
  ...eventRoutes,
];

interface DoorDeps {
  /** Does `work` at this moment of the clock, and resolves with its answer when that is on disk. */
  at<T>(work: (shop: Shop) => T): Promise<T>;
  /** Every call that was let in, as `GET /v1/prices`. */
  noted(call: string): void;
}

/** Stripe's HTTP interface: who may call, which call it is, and the envelope of every answer. */
export async function answerCall({ at, noted }: DoorDeps, request: IncomingMessage, reply: ServerResponse): Promise<void> {
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
      admit(shop, request);
      noted(`${method} ${pathname}`);
      shop.call = { id, idempotency_key: key ?? null };
      const work = () => answerTo(shop, method, pathname, method === 'POST' ? body : search.slice(1));
      return method === 'POST' && key ? once(shop, key, `${method} ${pathname} ${body}`, work) : { answer: work(), replayed: false };
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

/** The second time with the same key the first answer comes again, and nothing else happens. */
function once({ state, now }: Shop, key: string, asked: string, work: () => object): { answer: object; replayed: boolean } {
  const before = Object.hasOwn(state.replays, key) ? state.replays[key] : undefined;
  if (before && before.asked !== asked) {
    throw new Refused(400, 'This Idempotency-Key was used for something else.', { type: 'idempotency_error' });
  }
  if (before) return { answer: before.answer, replayed: true };
  const answer = work();
  state.replays[key] = { asked, answer, at: now };
  return { answer, replayed: false };
}

/** With the key as bearer or as the name of HTTP Basic, and in the one version that is spoken here. */
function admit({ state }: Shop, request: IncomingMessage): void {
  const [scheme, given = ''] = (request.headers.authorization ?? '').split(' ');
  const basic = () => Buffer.from(given, 'base64').toString('utf8').split(':')[0] ?? '';
  const token = Buffer.from(scheme === 'Bearer' ? given : scheme === 'Basic' ? basic() : '');
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
  for await (const part of request.setEncoding('utf8')) {
    body += part as string;
    if (body.length > 200_000) throw new Error('that is no order');
  }
  return body;
}
