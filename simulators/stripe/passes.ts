import { randomBytes } from 'node:crypto';
import { sameSecret } from '../same-secret.ts';
import type { Shop } from './shop.ts';
import type { Pass } from './state.ts';

type Page = 'checkout' | 'portal';

const random = () => randomBytes(24).toString('base64url');

/** A page's address with a ticket, which opens the page once. */
export function addressWithTicket({ state, pages_url }: Shop, page: Page, id: string): string {
  const pass = (state.passes[id] ??= { ticket: random(), cookie: random() });
  return `${pages_url}/${page}/${id}?ticket=${pass.ticket}`;
}

/** Returns the cookie for a valid ticket and replaces the ticket; null for any other. */
export function redeemTicket(shop: Shop, page: Page, id: string, ticket: string): string | null {
  const pass = passOf(shop, id);
  if (!pass || !sameSecret(ticket, pass.ticket)) return null;
  pass.ticket = random();
  const pageObject = page === 'checkout' ? shop.state.sessions[id] : shop.state.portals[id];
  if (pageObject?.url) pageObject.url = addressWithTicket(shop, page, id);
  return pass.cookie;
}

export function hasPass(shop: Shop, id: string, cookie: string): boolean {
  const pass = passOf(shop, id);
  return pass !== undefined && sameSecret(cookie, pass.cookie);
}

const passOf = ({ state }: Shop, id: string): Pass | undefined => (Object.hasOwn(state.passes, id) ? state.passes[id] : undefined);
