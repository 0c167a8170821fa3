import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../testing/agent.ts';
import { loginctl, notingPrograms, onDesktop, session, someone } from '../../../testing/desktop.ts';
import { leaveOut, needs } from '../../../testing/left-out.ts';
import { until } from '../../../testing/until.ts';
import { desktops } from './environment.ts';
import { showAtScreen } from './show.ts';

const url = 'http://127.0.0.1:23407/ui/?t=x';
const name = `:${90 + Math.floor(Math.random() * 900)}`;

/** A computer with systemd, and one person beside root. */
async function disk(): Promise<string> {
  const root = await temporaryFolder();
  mkdirSync(join(root, 'run/systemd/system'), { recursive: true });
  mkdirSync(join(root, 'etc'));
  writeFileSync(join(root, 'etc/passwd'), `root:x:0:0:root:/root:/bin/sh\n${someone.user}:x:${someone.uid}:${someone.gid}::/:/bin/sh\n`);
  return root;
}

const toolsOf = ({ tool }: Awaited<ReturnType<typeof notingPrograms>>) => ({
  'xdg-open': tool('xdg-open'),
  loginctl: tool('loginctl'),
  'systemd-run': tool('systemd-run'),
  setpriv: tool('setpriv'),
});

describe('a page for whoever sits before the screen', () => {
  test.each<[string, string[], boolean]>([
    ['one who works at it', [session()], true],
    ['one under X', [session({ Type: 'x11' })], true],
    [
      'one whose session stands behind others',
      [session({ Id: '1', Active: 'no' }), session({ Id: 'c1', Class: 'greeter' }), session()],
      true,
    ],
    ['one from afar, when nobody else is there', [session({ Remote: 'yes' })], true],
    ['nobody but the login screen', [session({ Class: 'greeter' })], false],
    ['nobody but one in a terminal', [session({ Type: 'tty' })], false],
    ['nobody: all are elsewhere', [session({ Active: 'no' })], false],
    ['root', [session({ User: '0', Name: 'root' })], false],
    ['someone whom nobody knows', [session({ User: '4242' })], false],
    ['nobody at all', [], false],
  ])('is opened by their own systemd: %s', async (_who, sessions, shown) => {
    const programs = await notingPrograms({ 'xdg-open': '', loginctl: loginctl(...sessions), 'systemd-run': '', setpriv: '' });
    expect(await showAtScreen(url, { tools: toolsOf(programs), root: await disk() })).toBe(shown);
    const [started = ''] = programs.of('systemd-run');
    expect(started.includes(`--user --machine=${someone.user}@.host --collect --quiet`)).toBe(shown);
    expect(started.endsWith(` -- ${programs.tool('xdg-open')} ${url}`)).toBe(shown);
    expect(programs.of('setpriv')).toEqual([]);
  });

  test('of two sessions the one at the computer’s own screen is chosen', async () => {
    const sessions = [session({ Id: '1', User: '4242', Name: 'far', Remote: 'yes' }), session()];
    const programs = await notingPrograms({ 'xdg-open': '', loginctl: loginctl(...sessions), 'systemd-run': '' });
    expect(await showAtScreen(url, { tools: toolsOf(programs), root: await disk() })).toBe(true);
    expect(programs.of('systemd-run')).toHaveLength(1);
  });

  test.each([[{}], [{ 'systemd-run': 'exit 1' }]])('cannot be opened where nothing can start it (%j)', async (more) => {
    const programs = await notingPrograms({ 'xdg-open': '', loginctl: loginctl(session()), ...more });
    expect(await showAtScreen(url, { tools: toolsOf(programs), root: await disk() })).toBe(false);
  });
});

describe('a page where there is no systemd', () => {
  const needsRoot = (context: Parameters<typeof leaveOut>[0]) => {
    needs(context, { setpriv: 'util-linux' });
    if (process.getuid?.() !== 0) leaveOut(context, 'only root can start a program as someone else.');
  };
  /** Becomes that person for real, and tells what the browser would find. */
  const opener = 'echo "xdg-open found $DISPLAY $XAUTHORITY $HOME $SECRET" >> "$(dirname "$0")/../notes"';

  test('without systemd the page is opened as that user with their desktop’s environment only', async (context) => {
    needsRoot(context);
    onDesktop({ DISPLAY: name, XAUTHORITY: '/run/x', SECRET: 'x', XDG_SESSION_ID: '2', LD_PRELOAD: '' });
    await until('the desktop', () => desktops('2').get(someone.uid)?.DISPLAY === name);
    const programs = await notingPrograms({ 'xdg-open': opener, loginctl: loginctl(session()) });
    const tools = { ...toolsOf(programs), setpriv: '/usr/bin/setpriv' };
    expect(await showAtScreen(url, { tools })).toBe(true);
    await until('the opener', () => programs.of('xdg-open').length === 2);
    expect(programs.of('xdg-open')).toEqual([
      `xdg-open ${someone.uid} ${url}`,
      expect.stringMatching(`^xdg-open found ${name} /run/x /\\S* $`),
    ]);
  });

  test('without a session list the only user with a desktop is chosen, and nobody when there are two', async (context) => {
    needsRoot(context);
    onDesktop({ WAYLAND_DISPLAY: 'wayland-7' });
    onDesktop({ DISPLAY: name }, 0);
    await until('the desktop', () => desktops(null).has(someone.uid));
    if (desktops(null).size > 1) leaveOut(context, 'somebody else has a desktop here.');
    for (const gone of ['', 'exit 1']) {
      const programs = await notingPrograms({ 'xdg-open': '', ...(gone ? { loginctl: gone } : {}) });
      expect(await showAtScreen(url, { tools: { ...toolsOf(programs), setpriv: '/usr/bin/setpriv' } })).toBe(true);
      expect(programs.of('xdg-open')).toEqual([`xdg-open ${someone.uid} ${url}`]);
    }
    onDesktop({ DISPLAY: name }, 1);
    await until('the other desktop', () => desktops(null).size === 2);
    const programs = await notingPrograms({ 'xdg-open': '' });
    expect(await showAtScreen(url, { tools: { ...toolsOf(programs), setpriv: '/usr/bin/setpriv' } })).toBe(false);
    expect(programs.calls()).toEqual([]);
  });
});
