import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

/** Debian's Chromium without what only a window needs: the same pages for two thirds of the work. */
export const headlessShell = '/usr/bin/chromium-headless-shell';

/** The browser that `npm test` fetches with npm where there is no other (fetched-browser.ts). */
export const fetchedBrowser = join(root, '.cache', 'browser', 'start');

/** Nothing but the page under test may use the network, and root may run it. */
export const browserFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const places = [
  headlessShell,
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The Chromium of this computer: `CHROMIUM`, the usual places, the PATH, the fetched one; null when there is none. */
export function findBrowser(): string | null {
  const given = process.env.CHROMIUM;
  if (given) return existsSync(given) ? given : null;
  const installed = places.find((path) => existsSync(path)) ?? names.map(which).find((path) => path !== null);
  return installed ?? (existsSync(fetchedBrowser) ? fetchedBrowser : null);
}

function which(name: string): string | null {
  try {
    return execFileSync('which', [name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim() || null;
  } catch {
    return null;
  }
}
