import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newKeyPair, signText } from '@porchlight/definitions/signature.ts';
import { expect, onTestFinished, test } from 'vitest';
import { serverForTest, temporaryFolder } from '../testing/agent.ts';
import { notingPrograms } from '../testing/desktop.ts';
import { until } from '../testing/until.ts';
import { messages } from '../ui/desktop/messages.ts';
import { askForWindow, openWindowSocket } from '../ui/desktop/show-window-socket.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

/** An agent as a process of its own on a desktop that notes what it opens, and what the person there clicks. */
async function computer() {
  const [server, programs, folder] = [
    await serverForTest(),
    await notingPrograms({ 'xdg-open': '', 'notify-send': '' }),
    await temporaryFolder(),
  ];
  const port = String(20_000 + Math.floor(Math.random() * 20_000));
  const env = {
    ...{ PORCHLIGHT_SERVER: server.url, AGENT_DATA_DIR: folder, AGENT_LOOPBACK_PORT: port },
    ...{ PATH: `${programs.bin}:${process.env.PATH}`, DISPLAY: ':77' },
  };
  const start = (args: string[]): { child: ChildProcess; said: () => string } => {
    const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    return { child, said: () => said };
  };
  /** What a click starts, to its end. */
  const click = async (...args: string[]) => {
    const { child, said } = start(args);
    const [code] = await once(child, 'close');
    return { code, said: said().trim() };
  };
  const agent = async () => {
    const running = start([]);
    await until('the agent', () => running.said().includes('Porchlight is not linked yet'));
    await until('its door', () => statSync(join(folder, 'window'), { throwIfNoEntry: false }));
    return running;
  };
  const opened = () => programs.of('xdg-open').map((call) => call.split(' ').at(-1) ?? '');
  return { server, programs, folder, port, agent, click, opened };
}
const linkOf = ({ uri, signature }: { uri: string; signature: string }) => `${uri}&signature=${encodeURIComponent(signature)}`;

test('the menu opens the window of the agent that runs, by an address that lets in once', async () => {
  const { agent, click, opened, port } = await computer();
  await agent();
  for (const [n, args] of [['--open'], ['--window'], ['--open', 'porchlight://open'], ['--open', 'porchlight:']].entries()) {
    // It opens at most once a second.
    await until('the page', async () => {
      expect(await click(...args)).toEqual({ code: 0, said: '' });
      return opened().length > n;
    });
  }
  const [url = ''] = opened();
  expect(url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/ui/\\?t=[\\w-]{32}$`));
  const first = await fetch(url, { redirect: 'manual' });
  expect([first.status, first.headers.get('set-cookie')]).toEqual([303, expect.stringContaining('HttpOnly')]);
  expect((await fetch(url, { redirect: 'manual' })).status).toBe(403);
});

test('opening the window without an agent tells the user that none runs', async () => {
  const { click, programs } = await computer();
  expect(await click('--open')).toEqual({ code: 1, said: messages.notRunning });
  expect(programs.of('notify-send')).toEqual([expect.stringContaining(messages.notRunning)]);
});

test('[P3.2] a link goes to the agent through every check of the loopback call, and the window shows what became of it', async () => {
  const { server, agent, click, opened, programs } = await computer();
  const { said } = await agent();
  const link = server.link();
  const forged = { ...link, signature: signText(link.uri, newKeyPair()) };
  for (const wrong of [forged, server.link({ exp: 1 }), server.link({ server: 'https://evil.example' })]) {
    const { code, said: why } = await click('--open', linkOf(wrong));
    expect(code).toBe(1);
    expect(programs.of('notify-send').at(-1)).toContain(why);
    expect(why).not.toBe('');
  }
  expect(await click('--open', linkOf(server.link({ server: 'https://evil.example' })))).toEqual({ code: 1, said: messages.notOurs });
  expect([server.enrolled, opened()]).toEqual([[], []]);
  expect(await click('--open', linkOf(link))).toEqual({ code: 0, said: '' });
  await until('the link', () => said().includes('Linked as Laptop.'));
  await until('the window', () => opened().length === 1);
  // Another account: the agent asks in its window, which it opens by itself.
  const before = opened().length;
  expect(await click('--open', linkOf(server.link()))).toEqual({ code: 0, said: '' });
  await until('the page that asks', () => opened().length > before);
  expect(server.calls).toContain('POST /agent/whose');
  expect(server.enrolled).toHaveLength(1);
});

test('the window socket of a killed agent is replaced by the next agent', async () => {
  const { agent, click, folder } = await computer();
  const { child } = await agent();
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect((await click('--open')).code).toBe(1);
  const next = await agent();
  expect((await click('--open')).code).toBe(0);
  next.child.kill('SIGTERM');
  await once(next.child, 'exit');
  expect((await click('--open')).code).toBe(1);
  expect(existsSync(join(folder, 'window'))).toBe(false);
});

test('repeated requests for the window open it once a second at most', async () => {
  const path = join(await temporaryFolder(), 'window');
  let shown = 0;
  const door = await openWindowSocket(path, () => void shown++);
  onTestFinished(async () => door?.close());
  expect(await Promise.all(Array.from({ length: 20 }, () => askForWindow(['/nonexistent/window', path])))).toEqual(Array(20).fill(true));
  expect(shown).toBe(1);
});
