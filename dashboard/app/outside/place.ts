import { matchRoutes } from 'react-router';
import type { Place } from '../../outside/addresses.ts';
import { type RouteRow, routes } from '../routes.tsx';

/** The row of the route table that an address below /dashboard belongs to. */
export function routeAt(pathname: string): RouteRow | undefined {
  const match = matchRoutes(
    routes.map((row) => ({ path: row.path, handle: row })),
    pathname,
  )?.[0];
  return match?.route.handle;
}

export const place: Place = { origin: window.location.origin, patternOf: (path) => routeAt(path)?.path ?? '/*' };
