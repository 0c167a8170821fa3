import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestServer } from './server.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

export interface Run {
  child: ChildProcess;
  output: () => string;
  /**
   * Resolves once the output has the sentence; rejects if the agent ends without it. It has no limit of its own, because a busy computer
   * starts a process late.
   */
  printed: (sentence: string) => Promise<void>;
  ended: Promise<number | string | null>;
}

/**
 * Starts the agent as a separate process, which the caller must end. `input`: stdin. `commandPrefix`: a command to run it in. `more`:
 * environment variables. `entry`: another program beside the agent.
 */
export function runAgent(
  server: Pick<TestServer, 'url'>,
  folder: string,
  args: string[] = [],
  input = '',
  commandPrefix: string[] = [],
  more: Record<string, string> = {},
  entry = main,
): Run {
  const env = { PATH: process.env.PATH, PORCHLIGHT_SERVER: server.url, AGENT_DATA_DIR: folder, AGENT_LOOPBACK_PORT: '0', ...more };
  const [command, ...rest] = [...commandPrefix, process.execPath, entry, ...args];
  const child = spawn(command ?? process.execPath, rest, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => {}).end(input);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise<number | string | null>((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
  const printed = (sentence: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const check = () => {
      if (!output.includes(sentence)) return;
      for (const stream of [child.stdout, child.stderr]) stream.off('data', check);
      resolve();
    };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', check);
    check();
    void ended.then((end) => reject(new Error(`The agent ended (${end}) before it printed “${sentence}”:\n${output}`)));
    return promise;
  };
  return { child, output: () => output, printed, ended };
}
