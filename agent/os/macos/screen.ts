import { randomUUID } from 'node:crypto';
import { closeSync, fchownSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import type { MacNative } from './native.ts';

export interface ScreenPaths {
  /** The console device, owned by the user at the screen. */
  console: string;
  /** Our per-user launchd agent opens the address in this file. */
  show: string;
}

export const screenPaths: ScreenPaths = { console: '/dev/console', show: '/Library/Application Support/Porchlight/show' };

/** Reads standard input: command lines are public, and the address grants access. */
const openCommand = ['/usr/bin/osascript', '-'] as const;
const scriptFor = (url: string) => `open location ${JSON.stringify(url)}\n`;
/** The label in packaging/macos/window.plist. */
const windowAgentLabel = 'example.porchlight.window';

/** For an agent started by hand. */
export async function showHere(native: MacNative, url: string): Promise<boolean> {
  const [program, ...args] = openCommand;
  return (await native.run(program, args, scriptFor(url))).code === 0;
}

/**
 * For an agent that runs as root. The per-user launchd agent opens the address from a file that only its user can read. If it is not loaded
 * (the user was logged in during installation), launchd opens the address as the user. False when nobody is logged in.
 */
export async function showAtScreen(native: MacNative, url: string, { console, show }: ScreenPaths): Promise<boolean> {
  const uid = ownerOf(console);
  if (uid === 0) return false;
  const isLoaded = (await native.run('/bin/launchctl', ['print', `gui/${uid}/${windowAgentLabel}`])).code === 0;
  if (isLoaded && writeAddress(url, show, uid)) return true;
  return (
    (await native.run('/bin/launchctl', ['asuser', String(uid), '/usr/bin/sudo', '-u', `#${uid}`, ...openCommand], scriptFor(url))).code ===
    0
  );
}

/** Root owns the console while nobody is logged in. */
function ownerOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.uid ?? 0;
}

function writeAddress(url: string, show: string, uid: number): boolean {
  const temporaryPath = `${show}.${randomUUID()}`;
  try {
    const file = openSync(temporaryPath, 'wx', 0o600);
    try {
      writeSync(file, `${url}\n`);
      fchownSync(file, uid, -1);
    } finally {
      closeSync(file);
    }
    renameSync(temporaryPath, show);
    return true;
  } catch {
    rmSync(temporaryPath, { force: true });
    return false;
  }
}
