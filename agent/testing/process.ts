import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestServer } from './server.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

export interface Run {
  child: ChildProcess;
  said: () => string;
  /** Exit code or signal. */
  over: Promise<number | string | null>;
}

/**
 * The agent as a process of its own. `input`: what it is given to read. `inside`: what it is started with. `more`: of its environment. Whoever starts it
 * ends it.
 */
export function runAgent(
  server: Pick<TestServer, 'url'>,
  folder: string,
  args: string[] = [],
  input = '',
  inside: string[] = [],
  more: Record<string, string> = {},
): Run {
  const env = { PATH: process.env.PATH, PORCHLIGHT_SERVER: server.url, AGENT_DATA_DIR: folder, AGENT_LOOPBACK_PORT: '0', ...more };
  const [command, ...rest] = [...inside, process.execPath, main, ...args];
  const child = spawn(command ?? process.execPath, rest, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => {}).end(input);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const over = new Promise<number | string | null>((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
  return { child, said: () => said, over };
}
