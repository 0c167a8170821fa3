import { resolve } from 'node:path';
import { pid } from 'node:process';
import { limits } from '@porchlight/contract/limits.ts';
import { handOverOf } from '../../lib/deep-link.ts';
import { handOver } from '../../lib/hand-over.ts';
import { loadDesktop } from './native/desktop.ts';
import { stayConnected, tellService } from './window/ask-service.ts';
import { openPage, type PageEnv } from './window/open-page.ts';
import { openTray } from './window/tray.ts';

/**
 * What the executable does besides protecting. Gives the code to exit with, or null when it is none of these, or goes on (`--window`).
 * - `--window`: for each person who logs in: the sign beside the clock, and the page when the service has something to show.
 * - `--blocked FILE …`: Windows starts us in place of FILE.
 * - `--open LINK`: a `porchlight://` link was clicked.
 */
export async function runCommand([name, value = '']: string[], env: PageEnv): Promise<number | null> {
  switch (name) {
    case '--window':
      stayForPerson(env);
      return null;
    case '--blocked':
      return (await tellService({ kind: 'blocked', path: resolve(value) })) ? 0 : 1;
    case '--open':
      return openLink(value);
    default:
      return null;
  }
}

function stayForPerson(env: PageEnv): void {
  const desktop = loadDesktop();
  const session = [0];
  desktop.sessionOf(pid, session);
  const tray = openTray(desktop, () => service.open());
  const service = stayConnected(session[0] ?? 0, (url) => {
    tray.balloon();
    openPage(url, env);
  });
}

/** A link goes the same way as from the dashboard: through every check of the loopback call. */
async function openLink(link: string): Promise<number> {
  const handed = handOverOf(link);
  if (!handed) return (await tellService({ kind: 'open' })) ? 0 : 1;
  return (await handOver(handed, limits.loopback_port)) ? 1 : 0;
}
