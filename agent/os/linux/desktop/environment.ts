import { readdirSync, readFileSync, statSync } from 'node:fs';

/** Excludes variables that choose the programs that run, such as PATH. */
const copiedVariables = [
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

export type DesktopEnv = Partial<Record<(typeof copiedVariables)[number], string>>;

/** The desktop variables of each user, read from their processes; processes of `session` take precedence. */
export function desktopEnvironments(session: string | null): Map<number, DesktopEnv> {
  const environments = new Map<number, { env: DesktopEnv; ofSession: boolean }>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const desktop = readDesktop(name);
    if (!desktop || desktop.uid === 0) continue;
    const ofSession = session !== null && desktop.session === session;
    const previousDesktop = environments.get(desktop.uid);
    if (!previousDesktop || (ofSession && !previousDesktop.ofSession)) environments.set(desktop.uid, { env: desktop.env, ofSession });
  }
  return new Map([...environments].map(([uid, { env }]) => [uid, env]));
}

function readDesktop(pid: string): { uid: number; session: string | undefined; env: DesktopEnv } | null {
  try {
    const { uid } = statSync(`/proc/${pid}`);
    const variables = new Map(
      readFileSync(`/proc/${pid}/environ`, 'utf8')
        .split('\0')
        .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
    );
    if (!variables.get('DISPLAY') && !variables.get('WAYLAND_DISPLAY')) return null;
    const env: DesktopEnv = {};
    for (const name of copiedVariables) {
      const value = variables.get(name);
      if (value && !value.includes('\n')) env[name] = value;
    }
    return { uid, session: variables.get('XDG_SESSION_ID'), env };
  } catch {
    return null;
  }
}
