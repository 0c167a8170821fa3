import { matchRoutes, useLocation } from 'react-router';
import { type RouteRow, routes } from './routes.tsx';

const rows = routes.map((row) => ({ path: row.path, handle: row }));

/** The row of the route table that an address below /dashboard belongs to, and the parameters in it. */
export function matchAt(pathname: string) {
  return matchRoutes(rows, pathname)?.[0];
}

export function routeAt(pathname: string): RouteRow | undefined {
  return matchAt(pathname)?.route.handle;
}

/**
 * Whether only someone who is logged in comes here. Elsewhere nothing is asked in their name: a login that has ended meanwhile would lead
 * away from a page that is open to anyone.
 */
export function useNeedsLogin(): boolean {
  return routeAt(useLocation().pathname)?.access === 'login';
}
