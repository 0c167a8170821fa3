import { randomBytes } from 'node:crypto';
import { sameSecret } from '../same-secret.ts';
import type { Shop } from './shop.ts';
import type { Pass } from './state.ts';

type Page = 'checkout' | 'portal';

const random = () => randomBytes(24).toString('base64url');

/** The address that the shop gives out for one page: with a ticket that opens that page once, and no other. */
export function addressWithTicket({ state, pages_url }: Shop, page: Page, id: string): string {
  const pass = (state.passes[id] ??= { ticket: random(), cookie: random() });
  return `${pages_url}/${page}/${id}?ticket=${pass.ticket}`;
}

/** The cookie for whoever comes with the ticket, which is used up by it: the shop gives out another one from now on. Null for any other ticket. */
export function useTicket(shop: Shop, page: Page, id: string, ticket: string): string | null {
  const pass = passOf(shop, id);
  if (!pass || !sameSecret(ticket, pass.ticket)) return null;
  pass.ticket = random();
  const given = page === 'checkout' ? shop.state.sessions[id] : shop.state.portals[id];
  if (given?.url) given.url = addressWithTicket(shop, page, id);
  return pass.cookie;
}

export function hasPass(shop: Shop, id: string, cookie: string): boolean {
  const pass = passOf(shop, id);
  return pass !== undefined && sameSecret(cookie, pass.cookie);
}

const passOf = ({ state }: Shop, id: string): Pass | undefined => (Object.hasOwn(state.passes, id) ? state.passes[id] : undefined);
