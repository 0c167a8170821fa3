import type { Place } from '../../outside/addresses.ts';
import { matchAt } from '../route-at.ts';

/** An address of the window as the route table has it. */
export const below = (pathname: string) => pathname.slice('/dashboard'.length) || '/';

/** A part of a route that may be left out is told only where it is there: `/register` is not `/register/:promo`. */
function patternOf(pathname: string): string {
  const { route, params } = matchAt(pathname) ?? {};
  const path = route?.handle?.path ?? '*';
  return path === '*' ? '/*' : path.replace(/\/:(\w+)\?/g, (_part, name: string) => (params?.[name] === undefined ? '' : `/:${name}`));
}

export const place: Place = { origin: window.location.origin, patternOf };
