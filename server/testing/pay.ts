import type { FastifyInstance } from 'fastify';

interface Shop {
  app: { http: FastifyInstance };
  call(key: string, options: { token: string; body: object }): Promise<{ status: number; body: unknown }>;
}

export const family = 'price_family_yearly';
export const individual = 'price_individual_monthly';

/** Orders a plan; answers the URL of the payment page. */
export async function order(shop: Shop, token: string, price = family, promo: string | null = null): Promise<string> {
  const reply = await shop.call('POST /web/profile/sub/order', { token, body: { price, promo } });
  if (reply.status !== 200) throw new Error(`the order was refused: ${JSON.stringify(reply.body)}`);
  return String(reply.body);
}

export const pay = (shop: Shop, page: string) => press(shop, page, 'pay');

/** Returns the page's path without its ticket, and the cookie. */
export async function openPage({ app }: Pick<Shop, 'app'>, page: string): Promise<{ path: string; host: string; cookie: string }> {
  const { pathname, search, host } = new URL(page);
  const answer = await app.http.inject({ url: pathname + search, headers: { host } });
  const [cookie = ''] = String(answer.headers['set-cookie'] ?? '').split(';');
  if (answer.statusCode !== 303 || !cookie) throw new Error(`the page ${page} was answered with ${answer.statusCode}: ${answer.body}`);
  return { path: String(answer.headers.location), host, cookie };
}

export async function press(shop: Shop, page: string, button: string): Promise<void> {
  const { path, host, cookie } = await openPage(shop, page);
  const answer = await shop.app.http.inject({
    method: 'POST',
    url: `${path}/${button}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', host, cookie },
    payload: '',
  });
  if (answer.statusCode !== 303) throw new Error(`the button ${button} was answered with ${answer.statusCode}: ${answer.body}`);
}
