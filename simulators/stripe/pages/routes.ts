import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SimulatorAccess } from '../../access.ts';
import type { PortalSession, Session } from '../api-types.ts';
import { type Card, completeSession } from '../checkout.ts';
import { hasPass, redeemTicket } from '../passes.ts';
import { Refused } from '../refused.ts';
import type { Shop } from '../shop.ts';
import type { StripeSimulator } from '../stripe.ts';
import { isOpen } from '../subscription.ts';
import { checkoutPage } from './checkout-page.ts';
import { pathOf, policyFor } from './frame.ts';
import { portalActions } from './portal-actions.ts';
import { portalPage, subscriptionIn } from './portal-page.ts';
import { shopPage } from './shop-page.ts';

interface PageRequest {
  Params: { id: string; action: string };
  Body: URLSearchParams | undefined;
}

const formType = 'application/x-www-form-urlencoded';
const hiddenRoute = { schema: { hide: true } };

/**
 * `/dev/payments`: the test checkout, the test portal and the list of events. The simulators' key opens all of them; a ticket in an address
 * opens a single page. Each form is a POST that answers 303 after the webhook has received the resulting events, as in Stripe's checkout.
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

    app.get('/dev/payments', hiddenRoute, async (_request, reply) => send(reply, 200, await stripeSimulator.at(shopPage), policyFor()));
    for (const [name, paused] of [
      ['hold', true],
      ['release', false],
    ] as const) {
      app.post(`/dev/payments/${name}`, hiddenRoute, async (_request, reply) => {
        await stripeSimulator.pauseDelivery(paused);
        await stripeSimulator.deliver();
        return reply.redirect(await stripeSimulator.at((shop) => pathOf(shop)), 303);
      });
    }

    app.get<PageRequest>('/dev/payments/checkout/:id', hiddenRoute, async ({ params }, reply) => {
      const { page, policy } = await stripeSimulator.at((shop) => {
        const session = findOrThrow(shop.state.sessions, params.id);
        return { page: checkoutPage(shop, session), policy: policyFor(session.success_url, session.cancel_url) };
      });
      return send(reply, 200, page, policy);
    });
    const pay =
      (card: Card) =>
      async ({ params, body }: { params: PageRequest['Params']; body: PageRequest['Body'] }, reply: FastifyReply) => {
        const typedCode = body?.get('promotion_code') ?? '';
        const payResult = await stripeSimulator.at((shop) => {
          const session = findOrThrow(shop.state.sessions, params.id);
          try {
            completeSession(shop, session, card, typedCode);
            return { to: (session.success_url ?? shop.pages_url).replaceAll('{CHECKOUT_SESSION_ID}', session.id) };
          } catch (reason) {
            if (!(reason instanceof Refused)) throw reason;
            return {
              to: null,
              page: checkoutPage(shop, session, reason.message, typedCode),
              policy: policyFor(session.success_url, session.cancel_url),
            };
          }
        });
        if (payResult.to === null) return send(reply, 422, payResult.page, payResult.policy);
        await stripeSimulator.deliver();
        return reply.redirect(payResult.to, 303);
      };
    app.post<PageRequest>('/dev/payments/checkout/:id/pay', hiddenRoute, pay('works'));
    app.post<PageRequest>('/dev/payments/checkout/:id/pay-failing', hiddenRoute, pay('fails'));
    app.post<PageRequest>('/dev/payments/checkout/:id/back', hiddenRoute, async ({ params }, reply) => {
      const returnUrl = await stripeSimulator.at(
        (shop) => findOrThrow<Session>(shop.state.sessions, params.id).cancel_url ?? shop.pages_url,
      );
      return reply.redirect(returnUrl, 303);
    });

    app.get<PageRequest>('/dev/payments/portal/:id', hiddenRoute, async ({ params }, reply) => {
      const { page, policy } = await stripeSimulator.at((shop) => {
        const portal = findOrThrow(shop.state.portals, params.id);
        return { page: portalPage(shop, portal), policy: policyFor(portal.return_url) };
      });
      return send(reply, 200, page, policy);
    });
    app.post<PageRequest>('/dev/payments/portal/:id/back', hiddenRoute, async ({ params }, reply) => {
      const returnUrl = await stripeSimulator.at((shop) => findOrThrow(shop.state.portals, params.id).return_url ?? shop.pages_url);
      return reply.redirect(returnUrl, 303);
    });
    app.post<PageRequest>('/dev/payments/portal/:id/:action', hiddenRoute, async ({ params, body }, reply) => {
      const actionResult = await stripeSimulator.at((shop) =>
        runAction(shop, findOrThrow(shop.state.portals, params.id), params.action, body ?? new URLSearchParams()),
      );
      if (actionResult.to === null) return send(reply, 422, actionResult.page, actionResult.policy);
      await stripeSimulator.deliver();
      return reply.redirect(actionResult.to, 303);
    });
  });
}

interface RequestedPage {
  kind: 'checkout' | 'portal';
  id: string;
}

/** The checkout or portal that a request is for; null for the page of the shop. */
function pageOf({ params, routeOptions: { url = '' } }: FastifyRequest): RequestedPage | null {
  const kind = /^\/dev\/payments\/(checkout|portal)\//.exec(url)?.[1] as RequestedPage['kind'] | undefined;
  return kind ? { kind, id: (params as { id: string }).id } : null;
}

/** Exchanges the ticket for a cookie and redirects to the address without the ticket. */
async function onlyWithTicket(
  stripeSimulator: StripeSimulator,
  access: SimulatorAccess,
  page: RequestedPage,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  access.checkSameOrigin(request);
  const name = `simulator_${page.kind}`;
  const path = `/dev/payments/${page.kind}/${page.id}`;
  const { ticket } = request.query as { ticket?: unknown };
  const ownCookie = request.cookies[name] ?? '';
  const { known: isKnownPass, cookie } = await stripeSimulator.at((shop) => ({
    known: hasPass(shop, page.id, ownCookie),
    cookie: request.method === 'GET' && typeof ticket === 'string' ? redeemTicket(shop, page.kind, page.id, ticket) : null,
  }));
  if (cookie === null && !isKnownPass) access.notFound();
  if (cookie !== null) access.setCookie(reply, name, cookie, path);
  if (ticket !== undefined && request.method === 'GET') return reply.redirect(path, 303);
}

function runAction(
  shop: Shop,
  portal: PortalSession,
  action: string,
  form: URLSearchParams,
): { to: string } | { to: null; page: string; policy: string } {
  const runPortalAction = Object.hasOwn(portalActions, action) ? portalActions[action] : undefined;
  const subscription = subscriptionIn(shop, portal);
  if (!runPortalAction || !subscription || !isOpen(subscription)) throw new NothingHere();
  try {
    runPortalAction(shop, subscription, form);
    return { to: pathOf(shop, `/portal/${portal.id}`) };
  } catch (reason) {
    if (!(reason instanceof Refused)) throw reason;
    return { to: null, page: portalPage(shop, portal, reason.message), policy: policyFor(portal.return_url) };
  }
}

function findOrThrow<T>(table: Record<string, T>, id: string): T {
  const row = Object.hasOwn(table, id) ? table[id] : undefined;
  if (!row) throw new NothingHere();
  return row;
}

class NothingHere extends Error {}

function send(reply: FastifyReply, status: number, page: string, policy: string): FastifyReply {
  return reply
    .code(status)
    .header('content-security-policy', policy)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(page);
}
