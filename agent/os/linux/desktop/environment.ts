import { readdirSync, readFileSync, statSync } from 'node:fs';

/** What a program needs to find the desktop, and nothing that says which programs it runs. */
const needed = [
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_CURRENT_DESKTOP',
  'XDG_SESSION_TYPE',
  'DESKTOP_SESSION',
  'LANG',
] as const;

export type DesktopEnv = Partial<Record<(typeof needed)[number], string>>;

/** The people with a program on a desktop, each with what it found there; of those of `session` first. By /proc: root has none of it in its own. */
export function desktops(session: string | null): Map<number, DesktopEnv> {
  const found = new Map<number, { env: DesktopEnv; ofSession: boolean }>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const seen = desktopOf(name);
    if (!seen || seen.uid === 0) continue;
    const ofSession = session !== null && seen.session === session;
    const before = found.get(seen.uid);
    if (!before || (ofSession && !before.ofSession)) found.set(seen.uid, { env: seen.env, ofSession });
  }
  return new Map([...found].map(([uid, { env }]) => [uid, env]));
}

function desktopOf(pid: string): { uid: number; session: string | undefined; env: DesktopEnv } | null {
  try {
    const { uid } = statSync(`/proc/${pid}`);
    const all = new Map(
      readFileSync(`/proc/${pid}/environ`, 'utf8')
        .split('\0')
        .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
    );
    if (!all.get('DISPLAY') && !all.get('WAYLAND_DISPLAY')) return null;
    const env: DesktopEnv = {};
    for (const name of needed) {
      const value = all.get(name);
      if (value && !value.includes('\n')) env[name] = value;
    }
    return { uid, session: all.get('XDG_SESSION_ID'), env };
  } catch {
    // It has ended meanwhile.
    return null;
  }
}
