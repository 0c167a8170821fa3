import { resolve } from 'node:path';
import { pid } from 'node:process';
import { limits } from '@porchlight/contract/limits.ts';
import { handOverOf } from '../../lib/deep-link.ts';
import { handOver } from '../../lib/hand-over.ts';
import { loadDesktop } from './native/desktop.ts';
import { ownFolderHere } from './own-folder-here.ts';
import { placeOf } from './settings.ts';
import { stayConnected, tellService } from './window/ask-service.ts';
import { dialService } from './window/dial-service.ts';
import { openPage, type PageEnv } from './window/open-page.ts';
import { openTray } from './window/tray.ts';

/**
 * What the executable does besides protecting. Gives the code to exit with, or null when it is none of these, or goes on (`--window`).
 * - `--window`: for each person who logs in: the sign beside the clock, and the page when the service has something to show.
 * - `--blocked FILE …`: Windows starts us in place of FILE.
 * - `--open LINK`: a `porchlight://` link was clicked.
 * - `--own-folder`: the installer has the folder of the service made.
 */
export async function runCommand([name, value = '']: string[], env: PageEnv): Promise<number | null> {
  switch (name) {
    case '--window':
      stayForPerson(env);
      return null;
    case '--blocked':
      return (await tellService({ kind: 'blocked', path: resolve(value) }, dialService())) ? 0 : 1;
    case '--open':
      return openLink(value);
    case '--own-folder':
      ownFolderHere(placeOf(process.env).home);
      return 0;
    default:
      return null;
  }
}

function stayForPerson(env: PageEnv): void {
  const desktop = loadDesktop();
  const session = [0];
  desktop.sessionOf(pid, session);
  const tray = openTray(desktop, () => service.open());
  const service = stayConnected(
    session[0] ?? 0,
    (url) => {
      tray.balloon();
      openPage(url, env);
    },
    dialService(),
  );
}

/** A link goes the same way as from the dashboard: through every check of the loopback call. */
async function openLink(link: string): Promise<number> {
  const handed = handOverOf(link);
  if (!handed) return (await tellService({ kind: 'open' }, dialService())) ? 0 : 1;
  return (await handOver(handed, limits.loopback_port)) ? 1 : 0;
}
