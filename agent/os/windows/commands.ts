import { resolve } from 'node:path';
import { pid } from 'node:process';
import { limits } from '@porchlight/contract/limits.ts';
import { handOverOf } from '../../lib/deep-link.ts';
import { handOver } from '../../lib/hand-over.ts';
import { loadDesktop } from './native/desktop.ts';
import { loadServices } from './native/services.ts';
import { secureServiceFolder } from './own-folder-here.ts';
import { ownServiceHere } from './own-service-here.ts';
import { settingsWithHome } from './settings.ts';
import { sendToService, stayConnected } from './window/ask-service.ts';
import { dialService } from './window/dial-service.ts';
import { openPage, type PageEnv } from './window/open-page.ts';
import { openTray } from './window/tray.ts';

/**
 * `--window`: tray icon and window of a logged-in user. `--need-help`: *I need help now*. `--blocked FILE …`: run by Windows in place of FILE. `--open LINK`: a clicked
 * `porchlight://` link. `--own-folder` and `--own-service`: from the installer. Resolves to the exit code, or null if this process continues.
 */
export async function runCommand([option, value = '']: string[], env: PageEnv): Promise<number | null> {
  switch (option) {
    case '--window':
      runWindowMode(env);
      return null;
    case '--blocked':
      return (await sendToService({ kind: 'blocked', path: resolve(value) }, dialService())) ? 0 : 1;
    case '--need-help':
      return (await sendToService({ kind: 'help' }, dialService())) ? 0 : 1;
    case '--open':
      return openLink(value);
    case '--own-folder':
      secureServiceFolder(settingsWithHome(process.env).home);
      return 0;
    case '--own-service':
      return ownServiceHere(loadServices()).secure() ? 0 : 1;
    default:
      return null;
  }
}

function runWindowMode(env: PageEnv): void {
  const desktop = loadDesktop();
  const session = [0];
  desktop.sessionOf(pid, session);
  const tray = openTray(desktop, { open: () => service.open(), help: () => service.help() });
  const service = stayConnected(
    session[0] ?? 0,
    (url) => {
      tray.balloon();
      openPage(url, env);
    },
    dialService(),
  );
}

/** The link passes the same checks as a call from the dashboard. */
async function openLink(link: string): Promise<number> {
  const handOverRequest = handOverOf(link);
  if (!handOverRequest) return (await sendToService({ kind: 'open' }, dialService())) ? 0 : 1;
  return (await handOver(handOverRequest, limits.loopback_port)) ? 1 : 0;
}
