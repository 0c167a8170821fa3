import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestServer } from './server.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

export interface Run {
  child: ChildProcess;
  output: () => string;
  ended: Promise<number | string | null>;
}

/**
 * Starts the agent as a separate process, which the caller must end. `input`: stdin. `commandPrefix`: a command to run it in. `more`:
 * environment variables.
 */
export function runAgent(
  server: Pick<TestServer, 'url'>,
  folder: string,
  args: string[] = [],
  input = '',
  commandPrefix: string[] = [],
  more: Record<string, string> = {},
): Run {
  const env = { PATH: process.env.PATH, PORCHLIGHT_SERVER: server.url, AGENT_DATA_DIR: folder, AGENT_LOOPBACK_PORT: '0', ...more };
  const [command, ...rest] = [...commandPrefix, process.execPath, main, ...args];
  const child = spawn(command ?? process.execPath, rest, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => {}).end(input);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise<number | string | null>((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
  return { child, output: () => output, ended };
}
