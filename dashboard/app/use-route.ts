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
  screen: ComponentType & Partial<Pick<Screen, 'fetch' | 'load'>>;
  title: string;
}

export function useRoute(row: RouteRow): void {
  // Runs before the screen's own effects, which may set a more exact title.
  useLayoutEffect(() => {
    document.title = `${row.title} · ${brand.name}`;
  }, [row.title]);
  useEffect(() => onOtherTab((change) => follow(change, row)), [row]);
}

/** Reloads the page, so that no data of the former user stays in memory. */
function follow(change: SessionEnd | 'login', row: RouteRow): void {
  if (change === 'logout') clearStored();
  if (change === 'login' || row.access !== 'login') return window.location.reload();
  if (change === 'logout') return window.location.assign(pages.login);
  storeReturnPath();
  window.location.assign(pages.expired);
}
