import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SimulatorAccess } from '../../access.ts';
import { type Card, completeSession } from '../checkout.ts';
import { hasPass, useTicket } from '../passes.ts';
import { Refused } from '../refused.ts';
import type { Shop } from '../shop.ts';
import type { StripeSimulator } from '../stripe.ts';
import { isOpen } from '../subscription.ts';
import type { PortalSession, Session } from '../wire.ts';
import { checkoutPage } from './checkout-page.ts';
import { pathOf, policyFor } from './frame.ts';
import { portalActions } from './portal-actions.ts';
import { portalPage, subscriptionIn } from './portal-page.ts';
import { shopPage } from './shop-page.ts';

interface Asked {
  Params: { id: string; action: string };
  Body: URLSearchParams | undefined;
}

const formType = 'application/x-www-form-urlencoded';
const hidden = { schema: { hide: true } };

/**
 * `/dev/payments`: the test checkout, the test portal and what the shop tells. The key of the simulators opens them all, and a checkout or a
 * portal also the ticket in the address that the shop gave out. Each form is one POST that answers 303, once what it caused was told to the
 * webhook, as Stripe's own checkout waits for it.
 */
export function stripePages(http: FastifyInstance, access: SimulatorAccess, stripeSimulator: StripeSimulator): void {
  void http.register(async (app) => {
    app.setErrorHandler((error) => {
      if (error instanceof NothingHere) access.notFound();
      throw error;
    });
    app.addHook('onRequest', async (request, reply) => {
      const page = pageOf(request);
      return page && !access.hasKey(request)
        ? onlyWithTicket(stripeSimulator, access, page, request, reply)
        : access.onlyWithKey(request, reply);
    });
    if (app.hasContentTypeParser(formType)) app.removeContentTypeParser(formType);
    app.addContentTypeParser(formType, { parseAs: 'string' }, (_request, body, done) => done(null, new URLSearchParams(String(body))));

    app.get('/dev/payments', hidden, async (_request, reply) => send(reply, 200, await stripeSimulator.at(shopPage), policyFor()));
    for (const [name, held] of [
      ['hold', true],
      ['release', false],
    ] as const) {
      app.post(`/dev/payments/${name}`, hidden, async (_request, reply) => {
        await stripeSimulator.hold(held);
        await stripeSimulator.deliver();
        return reply.redirect(await stripeSimulator.at((shop) => pathOf(shop)), 303);
      });
    }

    app.get<Asked>('/dev/payments/checkout/:id', hidden, async ({ params }, reply) => {
      const { page, policy } = await stripeSimulator.at((shop) => {
        const session = known(shop.state.sessions, params.id);
        return { page: checkoutPage(shop, session), policy: policyFor(session.success_url, session.cancel_url) };
      });
      return send(reply, 200, page, policy);
    });
    const pay =
      (card: Card) =>
      async ({ params, body }: { params: Asked['Params']; body: Asked['Body'] }, reply: FastifyReply) => {
        const typed = body?.get('promotion_code') ?? '';
        const done = await stripeSimulator.at((shop) => {
          const session = known(shop.state.sessions, params.id);
          try {
            completeSession(shop, session, card, typed);
            return { to: (session.success_url ?? shop.pages_url).replaceAll('{CHECKOUT_SESSION_ID}', session.id) };
          } catch (reason) {
            if (!(reason instanceof Refused)) throw reason;
            return {
              to: null,
              page: checkoutPage(shop, session, reason.message, typed),
              policy: policyFor(session.success_url, session.cancel_url),
            };
          }
        });
        if (done.to === null) return send(reply, 422, done.page, done.policy);
        await stripeSimulator.deliver();
        return reply.redirect(done.to, 303);
      };
    app.post<Asked>('/dev/payments/checkout/:id/pay', hidden, pay('works'));
    app.post<Asked>('/dev/payments/checkout/:id/pay-failing', hidden, pay('fails'));
    app.post<Asked>('/dev/payments/checkout/:id/back', hidden, async ({ params }, reply) => {
      const to = await stripeSimulator.at((shop) => known<Session>(shop.state.sessions, params.id).cancel_url ?? shop.pages_url);
      return reply.redirect(to, 303);
    });

    app.get<Asked>('/dev/payments/portal/:id', hidden, async ({ params }, reply) => {
      const { page, policy } = await stripeSimulator.at((shop) => {
        const portal = known(shop.state.portals, params.id);
        return { page: portalPage(shop, portal), policy: policyFor(portal.return_url) };
      });
      return send(reply, 200, page, policy);
    });
    app.post<Asked>('/dev/payments/portal/:id/back', hidden, async ({ params }, reply) => {
      const to = await stripeSimulator.at((shop) => known(shop.state.portals, params.id).return_url ?? shop.pages_url);
      return reply.redirect(to, 303);
    });
    app.post<Asked>('/dev/payments/portal/:id/:action', hidden, async ({ params, body }, reply) => {
      const done = await stripeSimulator.at((shop) =>
        press(shop, known(shop.state.portals, params.id), params.action, body ?? new URLSearchParams()),
      );
      if (done.to === null) return send(reply, 422, done.page, done.policy);
      await stripeSimulator.deliver();
      return reply.redirect(done.to, 303);
    });
  });
}

interface OnePage {
  kind: 'checkout' | 'portal';
  id: string;
}

/** Which checkout or portal a request is about; null for the page of the shop. */
function pageOf({ params, routeOptions: { url = '' } }: FastifyRequest): OnePage | null {
  const kind = /^\/dev\/payments\/(checkout|portal)\//.exec(url)?.[1] as OnePage['kind'] | undefined;
  return kind ? { kind, id: (params as { id: string }).id } : null;
}

/** Whoever comes with the ticket gets a cookie for this page, and goes on without the ticket. */
async function onlyWithTicket(
  stripeSimulator: StripeSimulator,
  access: SimulatorAccess,
  page: OnePage,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  access.pressedHere(request);
  const name = `simulator_${page.kind}`;
  const path = `/dev/payments/${page.kind}/${page.id}`;
  const { ticket } = request.query as { ticket?: unknown };
  const mine = request.cookies[name] ?? '';
  const { known: has, cookie } = await stripeSimulator.at((shop) => ({
    known: hasPass(shop, page.id, mine),
    cookie: request.method === 'GET' && typeof ticket === 'string' ? useTicket(shop, page.kind, page.id, ticket) : null,
  }));
  if (cookie === null && !has) access.notFound();
  if (cookie !== null) access.setCookie(reply, name, cookie, path);
  if (ticket !== undefined && request.method === 'GET') return reply.redirect(path, 303);
}

function press(
  shop: Shop,
  portal: PortalSession,
  action: string,
  form: URLSearchParams,
): { to: string } | { to: null; page: string; policy: string } {
  const act = Object.hasOwn(portalActions, action) ? portalActions[action] : undefined;
  const subscription = subscriptionIn(shop, portal);
  if (!act || !subscription || !isOpen(subscription)) throw new NothingHere();
  try {
    act(shop, subscription, form);
    return { to: pathOf(shop, `/portal/${portal.id}`) };
  } catch (reason) {
    if (!(reason instanceof Refused)) throw reason;
    return { to: null, page: portalPage(shop, portal, reason.message), policy: policyFor(portal.return_url) };
  }
}

function known<T>(table: Record<string, T>, id: string): T {
  const found = Object.hasOwn(table, id) ? table[id] : undefined;
  if (!found) throw new NothingHere();
  return found;
}

/** The address names a checkout, a portal or a button that there is not. */
class NothingHere extends Error {}

function send(reply: FastifyReply, status: number, page: string, policy: string): FastifyReply {
  return reply
    .code(status)
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(page);
}
