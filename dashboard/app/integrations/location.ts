import { matchRoutes } from 'react-router';
import type { Place } from '../../integrations/addresses.ts';
import { guestRoutes } from '../guest-routes.tsx';
import { routes } from '../routes.tsx';
import type { RouteRow } from '../use-route.ts';

export const pathBelowDashboard = (pathname: string) => pathname.slice('/dashboard'.length) || '/';

export function routeAt(pathname: string): RouteRow | undefined {
  return matchAt(pathname)?.route.handle;
}

/** Optional parts count only if present: `/register` is not `/register/:promo`. */
function patternOf(pathname: string): string {
  const { route, params } = matchAt(pathname) ?? {};
  const path = route?.handle?.path ?? '*';
  return path === '*' ? '/*' : path.replace(/\/:(\w+)\?/g, (_part, name: string) => (params?.[name] === undefined ? '' : `/:${name}`));
}

function matchAt(pathname: string) {
  return matchRoutes(
    [...guestRoutes, ...routes].map((row) => ({ path: row.path, handle: row })),
    pathname,
  )?.[0];
}

export const place: Place = { origin: window.location.origin, patternOf };
