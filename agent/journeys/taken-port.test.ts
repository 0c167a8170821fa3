import { createServer, type Server } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { fakeOs } from '../os/fake/fake.ts';
import { agentForTest, ended, serverForTest, type TestAgent } from '../testing/agent.ts';
import { until } from '../testing/until.ts';
import { messages } from '../ui/messages/messages.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

async function another(port = 0): Promise<Server> {
  const otherServer = createServer((_request, response) => void response.end('not Porchlight'));
  await new Promise<void>((resolve) => otherServer.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void otherServer.close());
  return otherServer;
}
const portOf = (server: Server) => (server.address() as AddressInfo).port;
const close = (server: Server) => new Promise((resolve) => server.close(resolve));

/** Simulates a port that Windows reserves for Hyper-V or WSL. */
function reserved(port: number): { free(): void } {
  const listen = NetServer.prototype.listen;
  const refusing = vi.spyOn(NetServer.prototype, 'listen').mockImplementation(function (this: NetServer, ...args: unknown[]) {
    if (args[0] !== port) return Reflect.apply(listen, this, args) as NetServer;
    process.nextTick(() => this.emit('error', Object.assign(new Error(`listen EACCES ${port}`), { code: 'EACCES' })));
    return this;
  });
  onTestFinished(() => refusing.mockRestore());
  return { free: () => refusing.mockRestore() };
}

async function shownWindow({ os }: TestAgent): Promise<string> {
  const url = os.opened.at(-1) ?? '';
  const openedPage = await fetch(url, { redirect: 'manual' });
  const cookie = openedPage.headers.get('set-cookie')?.split(';')[0] ?? '';
  return (await fetch(new URL(openedPage.headers.get('location') ?? '', url), { headers: { cookie } })).text();
}

const portCases: [string, () => Promise<{ port: number; free: () => unknown }>][] = [
  [
    'another program has',
    async () => {
      const otherServer = await another();
      return { port: portOf(otherServer), free: () => close(otherServer) };
    },
  ],
  [
    'the system keeps for itself',
    async () => {
      const closedServer = await another();
      const port = portOf(closedServer);
      await close(closedServer);
      return { port, free: reserved(port).free };
    },
  ],
];

describe.each(portCases)('a loopback port that %s', (_why, take) => {
  it('a taken loopback port leaves protection, calm screen and typed codes working, and is reported', async () => {
    const { port } = await take();
    const server = await serverForTest();
    const os = fakeOs();
    const test = await agentForTest(server, { os, loopback_port: port });
    expect(test.agent.port).toBeNull();
    expect(test.logLines).toContain(messages.terminal.portTaken(port));
    test.agent.showWindow();
    expect(await shownWindow(test)).toContain('name="code"');

    await test.linked();
    expect(server.problems).toContain(messages.terminal.portTaken(port));
    const openedBefore = os.opened.length;
    await ended(test, os.start({ name: 'anydesk' }));
    await until('the window', () => os.opened.length > openedBefore);
    expect(new URL(os.opened.at(-1) ?? '').port).not.toBe(String(port));
    expect(await shownWindow(test)).toContain('AnyDesk');
  });

  it('the loopback port is used as soon as it is free, and open pages stay open', async () => {
    const { port, free } = await take();
    const server = await serverForTest();
    const test = await agentForTest(server, { loopback_port: port });
    test.agent.showWindow();
    const { port: windowPort } = new URL(test.os.opened.at(-1) ?? '');
    vi.advanceTimersByTime(30_000);
    expect(test.agent.port).toBeNull();
    await free();
    await until('the port', () => {
      vi.advanceTimersByTime(30_000);
      return test.agent.port === port;
    });
    expect((await test.status()).status).toBe(200);
    expect(await shownWindow(test)).toContain('name="code"');
    test.agent.showWindow();
    expect(new URL(test.os.opened.at(-1) ?? '').port).toBe(String(port));
    await test.linked();
    expect(server.problems).not.toContain(messages.terminal.portTaken(port));
    await test.close();
    for (const closedPort of [port, windowPort]) await expect(fetch(`http://127.0.0.1:${closedPort}/`)).rejects.toThrow();
  });

  it('the fallback port of the window answers neither the dashboard nor requests with other host names', async () => {
    const { port } = await take();
    const server = await serverForTest();
    const test = await agentForTest(server, { loopback_port: port });
    test.agent.showWindow();
    const { origin } = new URL(test.os.opened.at(-1) ?? '');
    const status = async (path: string, headers: Record<string, string>) => (await fetch(`${origin}${path}`, { headers })).status;
    expect(await status('/.well-known/', { origin: server.url })).toBe(403);
    expect(await status('/ui/', { origin: 'https://evil.example' })).toBe(403);
    expect(await status('/ui/', { origin: `http://127.0.0.1:${port}` })).toBe(403);
  });
});
