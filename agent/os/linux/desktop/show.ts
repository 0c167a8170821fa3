import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { desktopEnvironments } from './environment.ts';
import { type DesktopUser, type RunProgram, userAtScreen, userByUid } from './session.ts';

const TIMEOUT_MS = 10_000;

export interface ShowDeps {
  tools: Record<'xdg-open' | 'loginctl' | 'systemd-run' | 'setpriv', string | null>;
  root?: string;
  chosen?: (desktopUser: DesktopUser) => void;
}

/**
 * For an agent that runs as root: opens an address as the user at the screen. The user's systemd starts the browser if possible: a child of
 * the agent would inherit its sandbox. False on failure or when nobody is at the screen.
 */
export async function showAtScreen(url: string, { tools, root = '/', chosen: onUserChosen }: ShowDeps): Promise<boolean> {
  const opener = tools['xdg-open'];
  if (!opener) return false;
  const desktopUser = await findUserAtScreen(tools.loginctl, root);
  if (!desktopUser) return false;
  onUserChosen?.(desktopUser);
  const env = Object.entries(desktopEnvironments(desktopUser.session).get(desktopUser.uid) ?? {}).map(
    ([name, value]) => `${name}=${value}`,
  );
  const { 'systemd-run': systemdRun, setpriv } = tools;
  if (systemdRun && existsSync(`${root}/run/systemd/system`)) {
    const envArgs = env.map((one) => `--setenv=${one}`);
    const targetArgs = ['--user', `--machine=${desktopUser.user}@.host`, '--collect', '--quiet'];
    if ((await run(systemdRun, [...targetArgs, ...envArgs, '--', opener, url])) !== null) return true;
  }
  if (!setpriv || !env.length) return false;
  const setprivArgs = [`--reuid=${desktopUser.uid}`, `--regid=${desktopUser.gid}`, '--init-groups', '--reset-env'];
  return startDetached(setpriv, [...setprivArgs, '--', '/usr/bin/env', ...env, opener, url]);
}

async function findUserAtScreen(loginctl: string | null, root: string): Promise<DesktopUser | null> {
  const sessionUser = loginctl ? await userAtScreen(run, loginctl, root) : undefined;
  if (sessionUser !== undefined) return sessionUser;
  // Without a session list: the only user with a desktop.
  const [uid = 0, ...otherUids] = desktopEnvironments(null).keys();
  return otherUids.length ? null : userByUid(uid, null, root);
}

const run: RunProgram = (file, args) =>
  new Promise((resolve) => {
    execFile(file, args, { timeout: TIMEOUT_MS, env: { ...process.env, LC_ALL: 'C' } }, (err, stdout) => resolve(err ? null : stdout));
  });

/** Does not wait for the program to end. False when it fails within a second. */
function startDetached(file: string, args: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { detached: true, stdio: 'ignore', cwd: '/' });
    const runningTimer = setTimeout(() => resolve(true), 1000);
    child.once('error', () => resolve(false)).once('exit', (code) => (clearTimeout(runningTimer), resolve(code === 0)));
    child.unref();
  });
}
