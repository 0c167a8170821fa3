import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { desktops } from './environment.ts';
import { type Ask, atScreen, type Person, personOf } from './session.ts';

/** In milliseconds. */
const TIMEOUT_MS = 10_000;

export interface ShowDeps {
  /** Where each of these programs is; null where it is not. */
  tools: Record<'xdg-open' | 'loginctl' | 'systemd-run' | 'setpriv', string | null>;
  /** Of the computer: tests have another. */
  root?: string;
  /** Hears for whom it is, before it is opened. */
  chosen?: (person: Person) => void;
}

/**
 * Shows an address on the desktop of whoever sits before the screen, for an agent that is root's and has none. The browser is that person's, never root's.
 * Where systemd is, their own one starts it: what we start ourselves would live in the service's narrow confines, where no browser can, and end with it.
 * False when nobody is at a screen, or it cannot be shown there.
 */
export async function showAtScreen(url: string, { tools, root = '/', chosen }: ShowDeps): Promise<boolean> {
  const opener = tools['xdg-open'];
  if (!opener) return false;
  const person = await personAtScreen(tools.loginctl, root);
  if (!person) return false;
  chosen?.(person);
  const env = Object.entries(desktops(person.session).get(person.uid) ?? {}).map(([name, value]) => `${name}=${value}`);
  const { 'systemd-run': systemdRun, setpriv } = tools;
  if (systemdRun && existsSync(`${root}/run/systemd/system`)) {
    const settings = env.map((one) => `--setenv=${one}`);
    const whose = ['--user', `--machine=${person.user}@.host`, '--collect', '--quiet'];
    if ((await ask(systemdRun, [...whose, ...settings, '--', opener, url])) !== null) return true;
  }
  if (!setpriv || !env.length) return false;
  const become = [`--reuid=${person.uid}`, `--regid=${person.gid}`, '--init-groups', '--reset-env'];
  return begun(setpriv, [...become, '--', '/usr/bin/env', ...env, opener, url]);
}

async function personAtScreen(loginctl: string | null, root: string): Promise<Person | null> {
  const active = loginctl ? await atScreen(ask, loginctl, root) : undefined;
  if (active !== undefined) return active;
  // Whoever alone has a desktop.
  const [uid = 0, ...more] = desktops(null).keys();
  return more.length ? null : personOf(uid, null, root);
}

const ask: Ask = (file, args) =>
  new Promise((resolve) => {
    execFile(file, args, { timeout: TIMEOUT_MS, env: { ...process.env, LC_ALL: 'C' } }, (err, stdout) => resolve(err ? null : stdout));
  });

/** A browser may go on for hours: it is not waited for. False when it ends with an error at once. */
function begun(file: string, args: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { detached: true, stdio: 'ignore', cwd: '/' });
    const running = setTimeout(() => resolve(true), 1000);
    child.once('error', () => resolve(false)).once('exit', (code) => (clearTimeout(running), resolve(code === 0)));
    child.unref();
  });
}
