import type { FastifyInstance } from 'fastify';

/** As much of a test server as it takes to buy something. */
interface Shop {
  app: { http: FastifyInstance };
  call(key: string, options: { token: string; body: object }): Promise<{ status: number; body: unknown }>;
}

export const family = 'price_family_yearly';
export const individual = 'price_individual_monthly';

/** Orders a plan; answers the address of the page on which it is paid. */
export async function order(shop: Shop, token: string, price = family, promo: string | null = null): Promise<string> {
  const reply = await shop.call('POST /web/profile/sub/order', { token, body: { price, promo } });
  if (reply.status !== 200) throw new Error(`the order was refused: ${JSON.stringify(reply.body)}`);
  return String(reply.body);
}

/** Presses the one button of the test checkout that pays. */
export async function pay(shop: Shop, page: string): Promise<void> {
  const { pathname } = new URL(page);
  const answer = await shop.app.http.inject({
    method: 'POST',
    url: `${pathname}/pay`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', host: new URL(page).host },
    payload: '',
  });
  if (answer.statusCode !== 303) throw new Error(`the test checkout answered ${answer.statusCode}: ${answer.body}`);
}
