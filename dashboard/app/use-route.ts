import { brand } from '@porchlight/contract/brand.ts';
import { type ComponentType, useEffect, useLayoutEffect } from 'react';
import { pages } from '../lib/paths.ts';
import { storeReturnPath } from '../lib/return-to.ts';
import { onOtherTab, type SessionEnd } from '../lib/session.ts';
import { clearStored } from '../lib/tab-storage.ts';
import type { RouteRule } from './guard.ts';
import type { Screen } from './lazy-screen.tsx';

export interface RouteRow extends RouteRule {
  path: string;
  screen: ComponentType & Partial<Pick<Screen, 'fetch'>>;
  title: string;
}

/** What every route does: it names the window, and follows what another tab does to the login. */
export function useRoute(row: RouteRow): void {
  // This runs before the screen's own effects, which may give a more exact title.
  useLayoutEffect(() => {
    document.title = `${row.title} · ${brand.name}`;
  }, [row.title]);
  useEffect(() => onOtherTab((what) => follow(what, row)), [row]);
}

/** The page is loaded again, so that nothing of the last person stays in memory. */
function follow(what: SessionEnd | 'login', row: RouteRow): void {
  if (what === 'logout') clearStored();
  if (what === 'login' || row.access !== 'login') return window.location.reload();
  if (what === 'logout') return window.location.assign(pages.login);
  storeReturnPath();
  window.location.assign(pages.expired);
}
