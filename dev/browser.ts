import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

/** Debian's Chromium without a window: renders the same pages for two thirds of the CPU time. */
export const headlessShell = '/usr/bin/chromium-headless-shell';

export const fetchedBrowser = join(root, '.cache', 'browser', 'start');

/** Flags: only the page under test may use the network, and root may run the browser. */
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

const installFolders = [
  headlessShell,
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

export function findBrowser(): string | null {
  const configuredPath = process.env.CHROMIUM;
  if (configuredPath) return existsSync(configuredPath) ? configuredPath : null;
  const installed = installFolders.find((path) => existsSync(path)) ?? names.map(findInPath).find((path) => path !== null);
  return installed ?? (existsSync(fetchedBrowser) ? fetchedBrowser : null);
}

/** With a window, or as if: a headless shell shows no notifications. */
export const findFullBrowser = () => process.env.CHROMIUM ?? installFolders.slice(1).find((path) => existsSync(path)) ?? null;

function findInPath(name: string): string | null {
  try {
    return execFileSync('which', [name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim() || null;
  } catch {
    return null;
  }
}
