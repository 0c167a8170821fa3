import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../testing/agent.ts';
import { loginctl, onDesktop, recordingPrograms, session, someone } from '../../../testing/desktop.ts';
import { requirePrograms, skipTest } from '../../../testing/left-out.ts';
import { until } from '../../../testing/until.ts';
import { desktopEnvironments } from './environment.ts';
import { showAtScreen } from './show.ts';

const url = 'http://127.0.0.1:23407/ui/?t=x';
const displayName = `:${90 + Math.floor(Math.random() * 900)}`;

async function createRootFolder(): Promise<string> {
  const root = await temporaryFolder();
  mkdirSync(join(root, 'run/systemd/system'), { recursive: true });
  mkdirSync(join(root, 'etc'));
  writeFileSync(join(root, 'etc/passwd'), `root:x:0:0:root:/root:/bin/sh\n${someone.user}:x:${someone.uid}:${someone.gid}::/:/bin/sh\n`);
  return root;
}

const toolsOf = ({ tool }: Awaited<ReturnType<typeof recordingPrograms>>) => ({
  'xdg-open': tool('xdg-open'),
  loginctl: tool('loginctl'),
  'systemd-run': tool('systemd-run'),
  setpriv: tool('setpriv'),
});

describe('opening a page for the user at the screen', () => {
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
  ])('a page is opened through the user’s systemd if they have an active graphical session: %s', async (_user, sessions, isShown) => {
    const programs = await recordingPrograms({ 'xdg-open': '', loginctl: loginctl(...sessions), 'systemd-run': '', setpriv: '' });
    expect(await showAtScreen(url, { tools: toolsOf(programs), root: await createRootFolder() })).toBe(isShown);
    const [startedCommand = ''] = programs.of('systemd-run');
    expect(startedCommand.includes(`--user --machine=${someone.user}@.host --collect --quiet`)).toBe(isShown);
    expect(startedCommand.endsWith(` -- ${programs.tool('xdg-open')} ${url}`)).toBe(isShown);
    expect(programs.of('setpriv')).toEqual([]);
  });

  test('a page is opened in a local session rather than a remote session', async () => {
    const sessions = [session({ Id: '1', User: '4242', Name: 'far', Remote: 'yes' }), session()];
    const programs = await recordingPrograms({ 'xdg-open': '', loginctl: loginctl(...sessions), 'systemd-run': '' });
    expect(await showAtScreen(url, { tools: toolsOf(programs), root: await createRootFolder() })).toBe(true);
    expect(programs.of('systemd-run')).toHaveLength(1);
  });

  test.each([[{}], [{ 'systemd-run': 'exit 1' }]])(
    'a page is not opened when no program can start the browser (%j)',
    async (extraPrograms) => {
      const programs = await recordingPrograms({ 'xdg-open': '', loginctl: loginctl(session()), ...extraPrograms });
      expect(await showAtScreen(url, { tools: toolsOf(programs), root: await createRootFolder() })).toBe(false);
    },
  );
});

describe('opening a page without systemd', () => {
  const needsRoot = (context: Parameters<typeof skipTest>[0]) => {
    requirePrograms(context, { setpriv: 'util-linux' });
    if (process.getuid?.() !== 0) skipTest(context, 'only root can start a program as someone else.');
  };
  /** A simulated xdg-open that prints its environment. */
  const opener = 'echo "xdg-open found $DISPLAY $XAUTHORITY $HOME $SECRET" >> "$(dirname "$0")/../notes"';

  test('without systemd a page is opened as the user at the screen, with only their desktop’s environment variables', async (context) => {
    needsRoot(context);
    onDesktop({ DISPLAY: displayName, XAUTHORITY: '/run/x', SECRET: 'x', XDG_SESSION_ID: '2', LD_PRELOAD: '' });
    await until('the desktop', () => desktopEnvironments('2').get(someone.uid)?.DISPLAY === displayName);
    const programs = await recordingPrograms({ 'xdg-open': opener, loginctl: loginctl(session()) });
    const tools = { ...toolsOf(programs), setpriv: '/usr/bin/setpriv' };
    expect(await showAtScreen(url, { tools })).toBe(true);
    await until('the opener', () => programs.of('xdg-open').length === 2);
    expect(programs.of('xdg-open')).toEqual([
      `xdg-open ${someone.uid} ${url}`,
      expect.stringMatching(`^xdg-open found ${displayName} /run/x /\\S* $`),
    ]);
  });

  test('without a session list a page is opened for the only user with a desktop, and for nobody if two users have a desktop', async (context) => {
    needsRoot(context);
    onDesktop({ WAYLAND_DISPLAY: 'wayland-7' });
    onDesktop({ DISPLAY: displayName }, 0);
    await until('the desktop', () => desktopEnvironments(null).has(someone.uid));
    if (desktopEnvironments(null).size > 1) skipTest(context, 'somebody else has a desktop here.');
    for (const loginctlScript of ['', 'exit 1']) {
      const programs = await recordingPrograms({ 'xdg-open': '', ...(loginctlScript ? { loginctl: loginctlScript } : {}) });
      expect(await showAtScreen(url, { tools: { ...toolsOf(programs), setpriv: '/usr/bin/setpriv' } })).toBe(true);
      expect(programs.of('xdg-open')).toEqual([`xdg-open ${someone.uid} ${url}`]);
    }
    onDesktop({ DISPLAY: displayName }, 1);
    await until('the other desktop', () => desktopEnvironments(null).size === 2);
    const programs = await recordingPrograms({ 'xdg-open': '' });
    expect(await showAtScreen(url, { tools: { ...toolsOf(programs), setpriv: '/usr/bin/setpriv' } })).toBe(false);
    expect(programs.calls()).toEqual([]);
  });
});
