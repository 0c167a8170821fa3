import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from './until.ts';

/** A real browser without a window that runs scripts in fresh pages. */
export interface DrivenBrowser {
  /** Opens the address, also when it fails to load, and returns the value of the expression once it is truthy. */
  valueAt(url: string, expression: string): Promise<unknown>;
  close(): Promise<void>;
}

type Call = (method: string, params: object, sessionId?: string) => Promise<Record<string, unknown>>;

async function connect(url: string): Promise<Call> {
  const socket = new WebSocket(url);
  const waiting = new Map<number, (message: Record<string, unknown>) => void>();
  let nextId = 1;
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as { id?: number };
    if (message.id !== undefined) waiting.get(message.id)?.(message);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  return async (method, params, sessionId) => {
    const id = nextId++;
    const answer = new Promise<Record<string, unknown>>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) }));
    return (await answer).result as Record<string, unknown>;
  };
}

async function started(program: string, args: string[], pattern: RegExp): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, MOZ_HEADLESS: '1' } });
  process.once('exit', () => child.kill('SIGKILL'));
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const url = await until(`${program} to start`, () => pattern.exec(output)?.[1], 60_000).catch(() => {
    throw new Error(output.slice(-2000));
  });
  return { child, url };
}

async function ended(child: ChildProcess): Promise<void> {
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exit;
}

export async function drivenChromium(program: string, profile: string, more: string[] = []): Promise<DrivenBrowser> {
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--ignore-certificate-errors'];
  const { child, url } = await started(
    program,
    [...flags, ...more, '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
    /DevTools listening on (ws:\S+)/,
  );
  const call = await connect(url);
  return {
    async valueAt(address, expression) {
      const { targetId } = await call('Target.createTarget', { url: 'about:blank' });
      const { sessionId } = await call('Target.attachToTarget', { targetId, flatten: true });
      const session = String(sessionId);
      await call('Page.navigate', { url: address }, session);
      return until(`${expression} in Chromium`, async () => {
        const evaluated = (await call('Runtime.evaluate', { expression, returnByValue: true }, session)) as {
          result?: { value?: unknown };
        };
        return evaluated?.result?.value;
      });
    },
    close: () => ended(child),
  };
}

export async function drivenFirefox(program: string, profile: string): Promise<DrivenBrowser> {
  const { child, url } = await started(
    program,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
    /WebDriver BiDi listening on (ws:\S+)/,
  );
  const call = await connect(`${url}/session`);
  await call('session.new', { capabilities: {} });
  return {
    async valueAt(address, expression) {
      const { context } = await call('browsingContext.create', { type: 'tab' });
      await call('browsingContext.navigate', { context, url: address, wait: 'complete' });
      return until(`${expression} in Firefox`, async () => {
        const evaluated = (await call('script.evaluate', { expression, target: { context }, awaitPromise: true })) as {
          result?: { value?: unknown };
        };
        return evaluated?.result?.value;
      });
    },
    close: () => ended(child),
  };
}

export async function emptyPage(): Promise<{ url: string; close(): void }> {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<p>An empty page</p>'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://localhost:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}
