// Tier: whole. It starts agents as processes.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newKeyPair, signText } from '@porchlight/definitions/signature.ts';
import { expect, onTestFinished, test } from 'vitest';
import { serverForTest, temporaryFolder } from '../testing/agent.ts';
import { recordingPrograms } from '../testing/desktop.ts';
import { until } from '../testing/until.ts';
import { messages } from '../ui/desktop/messages.ts';
import { askForWindow, openWindowSocket } from '../ui/desktop/show-window-socket.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

async function computer() {
  const [server, programs, dataFolder] = [
    await serverForTest(),
    await recordingPrograms({ 'xdg-open': '', 'notify-send': '' }),
    await temporaryFolder(),
  ];
  const folder = join(dataFolder, 'agent');
  const port = String(20_000 + Math.floor(Math.random() * 20_000));
  const env = {
    ...{ PORCHLIGHT_SERVER: server.url, AGENT_DATA_DIR: folder, AGENT_LOOPBACK_PORT: port },
    ...{ PATH: `${programs.bin}:${process.env.PATH}`, DISPLAY: ':77' },
  };
  const start = (args: string[], more = {}): { child: ChildProcess; output: () => string } => {
    const child = spawn(process.execPath, [main, ...args], { env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    return { child, output: () => output };
  };
  const clickWith = async (more: object, ...args: string[]) => {
    const { child, output } = start(args, more);
    const [code] = await once(child, 'close');
    return { code, said: output().trim() };
  };
  const click = (...args: string[]) => clickWith({}, ...args);
  const agent = async () => {
    const running = start([]);
    await until('the agent', () => running.output().includes('Porchlight is not linked yet'));
    await until('its door', () => statSync(join(folder, 'window'), { throwIfNoEntry: false }));
    return running;
  };
  const opened = () => programs.of('xdg-open').map((call) => call.split(' ').at(-1) ?? '');
  return { server, programs, dataFolder, folder, port, agent, click, clickWith, opened };
}
const linkOf = ({ uri, signature }: { uri: string; signature: string }) => `${uri}&signature=${encodeURIComponent(signature)}`;

test('the menu entry opens the window of the running agent, through a one-time address', async () => {
  const { agent, click, opened, port } = await computer();
  await agent();
  for (const [n, args] of [['--open'], ['--window'], ['--open', 'porchlight://open'], ['--open', 'porchlight:']].entries()) {
    // Retried, because the window opens at most once a second.
    await until('the page', async () => {
      expect(await click(...args)).toEqual({ code: 0, said: '' });
      return opened().length > n;
    });
  }
  const [url = ''] = opened();
  expect(url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/ui/\\?t=[\\w-]{32}$`));
  const firstAnswer = await fetch(url, { redirect: 'manual' });
  expect([firstAnswer.status, firstAnswer.headers.get('set-cookie')]).toEqual([303, expect.stringContaining('HttpOnly')]);
  expect((await fetch(url, { redirect: 'manual' })).status).toBe(403);
});

test('[P9.5] *I need help now* of the menu is one press: the agent ends what is allowed, and the window shows what to do', async () => {
  const { agent, click, opened } = await computer();
  await agent();
  expect(await click('--need-help')).toEqual({ code: 0, said: '' });
  await until('the page', () => opened().some((url) => new URL(url).pathname === '/ui/help'));
});

test('npm run agent -- --window opens the window of the agent of npm start, and says what to do where none runs', async () => {
  const { agent, clickWith, opened, dataFolder } = await computer();
  const byNpm = { npm_lifecycle_event: 'agent', AGENT_DATA_DIR: join(dataFolder, 'another'), DATA_DIR: dataFolder };
  expect(await clickWith(byNpm, '--window')).toEqual({ code: 1, said: messages.notStarted });
  await agent();
  expect(await clickWith(byNpm, '--window')).toEqual({ code: 0, said: messages.handedOver });
  await until('the page', () => opened().length === 1);
});

test('opening the window while no agent runs shows a message about it', async () => {
  const { click, programs } = await computer();
  expect(await click('--open')).toEqual({ code: 1, said: messages.notRunning });
  expect(programs.of('notify-send')).toEqual([expect.stringContaining(messages.notRunning)]);
});

test('[P3.2] a clicked link is checked like a link from the dashboard, and the window shows the result', async () => {
  const { server, agent, click, opened, programs } = await computer();
  const { output } = await agent();
  const link = server.link();
  const forgedLink = { ...link, signature: signText(link.uri, newKeyPair()) };
  for (const invalidLink of [forgedLink, server.link({ exp: 1 }), server.link({ server: 'https://evil.example' })]) {
    const { code, said: why } = await click('--open', linkOf(invalidLink));
    expect(code).toBe(1);
    expect(programs.of('notify-send').at(-1)).toContain(why);
    expect(why).not.toBe('');
  }
  expect(await click('--open', linkOf(server.link({ server: 'https://evil.example' })))).toEqual({ code: 1, said: messages.notOurs });
  expect([server.enrolled, opened()]).toEqual([[], []]);
  expect(await click('--open', linkOf(link))).toEqual({ code: 0, said: '' });
  await until('the link', () => output().includes('Linked as Laptop.'));
  await until('the window', () => opened().length === 1);
  const openedBefore = opened().length;
  expect(await click('--open', linkOf(server.link()))).toEqual({ code: 0, said: '' });
  await until('the page that asks', () => opened().length > openedBefore);
  expect(server.calls).toContain('POST /agent/whose');
  expect(server.enrolled).toHaveLength(1);
});

test('the window socket of a killed agent is replaced by the next agent', async () => {
  const { agent, click, folder } = await computer();
  const { child } = await agent();
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect((await click('--open')).code).toBe(1);
  const nextAgent = await agent();
  expect((await click('--open')).code).toBe(0);
  nextAgent.child.kill('SIGTERM');
  await once(nextAgent.child, 'exit');
  expect((await click('--open')).code).toBe(1);
  expect(existsSync(join(folder, 'window'))).toBe(false);
});

test('repeated requests for the window open it at most once a second', async () => {
  const path = join(await temporaryFolder(), 'window');
  let shownCount = 0;
  const door = await openWindowSocket(path, () => void shownCount++);
  onTestFinished(async () => door?.close());
  expect(await Promise.all(Array.from({ length: 20 }, () => askForWindow(['/nonexistent/window', path])))).toEqual(Array(20).fill(true));
  expect(shownCount).toBe(1);
});
