import { randomUUID } from 'node:crypto';
import { closeSync, fchownSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import type { MacNative } from './native.ts';

export interface ScreenPlaces {
  /** Belongs to whoever sits at the screen. */
  console: string;
  /** What the per-user agent of launchd watches: an address in it is opened. */
  show: string;
}

export const screenPlaces: ScreenPlaces = { console: '/dev/console', show: '/Library/Application Support/Porchlight/show' };

/** Opens what it reads: everyone can read what stands on a command line, and whoever has the address gets the page. */
const opener = ['/usr/bin/osascript', '-'] as const;
const scriptFor = (url: string) => `open location ${JSON.stringify(url)}\n`;
/** The per-user agent's label: packaging/macos/window.plist. */
const window = 'example.porchlight.window';

/** For an agent that was started by hand, by the person at the screen. */
export async function showHere(native: MacNative, url: string): Promise<boolean> {
  const [program, ...args] = opener;
  return (await native.run(program, args, scriptFor(url))).code === 0;
}

/**
 * For an agent that is root's and has no screen. The per-user agent of whoever sits there opens the address, out of a file that they alone can read, since
 * it lets in whoever has it. Where that agent is not loaded, as for one who was logged in when it was installed, launchd opens it in their session.
 * Never as root. False when nobody has logged in.
 */
export async function showAtScreen(native: MacNative, url: string, { console, show }: ScreenPlaces): Promise<boolean> {
  const uid = ownerOf(console);
  if (uid === 0) return false;
  const loaded = (await native.run('/bin/launchctl', ['print', `gui/${uid}/${window}`])).code === 0;
  if (loaded && written(url, show, uid)) return true;
  return (
    (await native.run('/bin/launchctl', ['asuser', String(uid), '/usr/bin/sudo', '-u', `#${uid}`, ...opener], scriptFor(url))).code === 0
  );
}

/** The console is root's while nobody has logged in. */
function ownerOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.uid ?? 0;
}

function written(url: string, show: string, uid: number): boolean {
  const fresh = `${show}.${randomUUID()}`;
  try {
    const file = openSync(fresh, 'wx', 0o600);
    try {
      writeSync(file, `${url}\n`);
      fchownSync(file, uid, -1);
    } finally {
      closeSync(file);
    }
    renameSync(fresh, show);
    return true;
  } catch {
    rmSync(fresh, { force: true });
    return false;
  }
}
