import { lookup } from 'node:dns/promises';
import { pid } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '@porchlight/contract/limits.ts';
import { handOverOf } from './deep-link.ts';
import { loadDesktop } from './native/desktop.ts';
import { loadServices } from './native/services.ts';
import { ownCommand } from './own-command.ts';
import { installed } from './settings.ts';
import { askToLeave, stayConnected, tellService } from './window/ask-service.ts';
import { openPage, type PageEnv } from './window/open-page.ts';
import { openTray } from './window/tray.ts';
import { windows } from './windows.ts';

/**
 * What the executable does besides protecting. Gives the code to exit with, or null when it is none of these, or goes on (`--window`).
 * - `--window`: for each person who logs in: the sign beside the clock, and the page when the service has something to show.
 * - `--blocked FILE …`: Windows starts us in place of FILE.
 * - `--open LINK`: a `porchlight://` link was clicked.
 * - `--verify-pin [PIN]`: exits with 0 when it may be uninstalled.
 * - `--restore`: everything as it was before us, once the service has stopped; exits with 0 when names are still found.
 */
export async function runCommand([name, value = '']: string[], env: PageEnv): Promise<number | null> {
  switch (name) {
    case '--window':
      stayForPerson(env);
      return null;
    case '--blocked':
      return (await tellService({ kind: 'blocked', path: value })) ? 0 : 1;
    case '--open':
      return openLink(value);
    case '--verify-pin':
      return mayLeave(value);
    case '--restore':
      return restore();
    default:
      return null;
  }
}

/** How long a service that has just been started may take to answer. Milliseconds. */
const patience = 10_000;

async function mayLeave(pin: string): Promise<number> {
  for (const end = Date.now() + patience; ; await sleep(250)) {
    const refused = await askToLeave(pin);
    if (refused !== undefined) return refused === null ? 0 : 1;
    // It does not run, and the uninstaller could not start it: it must be possible to be rid of what is broken.
    if (Date.now() > end) return 0;
  }
}

/** A computer without a network finds no name before or after; only what we have broken keeps us here. */
async function restore(): Promise<number> {
  const server = installed().server;
  const name = server && URL.canParse(server) ? new URL(server).hostname : 'localhost';
  const found = () =>
    lookup(name).then(
      () => true,
      () => false,
    );
  const before = await found();
  await windows({ calls: loadServices(), service: true, instead: ownCommand('--blocked'), openWindow: () => false }).restore();
  return (await found()) || !before ? 0 : 1;
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
  const answer = await fetch(`http://127.0.0.1:${limits.loopback_port}/api/uri`, {
    method: 'POST',
    headers: { origin: handed.origin, 'content-type': 'application/json' },
    body: JSON.stringify({ uri: handed.uri, signature: handed.signature }),
  }).catch(() => null);
  return answer?.ok ? 0 : 1;
}
