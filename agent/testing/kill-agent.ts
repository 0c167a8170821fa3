import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundle } from '@porchlight/packaging/bundle.ts';
import { nativeName } from '@porchlight/packaging/programs.ts';
import { readChildren } from '../os/linux/proc.ts';
import { messages } from '../ui/messages/messages.ts';
import { testServer } from './server.ts';
import { until } from './until.ts';

const backWithin = 5000;
const protects = messages.terminal.watching('Laptop');

/**
 * Kills the agent with SIGKILL in each round, at a random moment of ending a program. Returns the failures: the agent must be back in time,
 * and each program ended and reported once. `folder`: empty; the caller deletes it.
 */
export async function killAgentTrial(folder: string, rounds: number, log: (line: string) => void = () => {}): Promise<string[]> {
  const server = await testServer();
  const name = `AnyDesk-${randomUUID()}`;
  const anydeskDefinitions = server.definitions.definitions.filter(({ identifier }) => identifier === 'anydesk');
  server.setDefinitions({
    definitions: anydeskDefinitions.map((d) => ({ ...d, programs: { ...d.programs, names: [{ os: 'linux' as const, name }] } })),
  });
  const env = { PATH: process.env.PATH, PORCHLIGHT_SERVER: server.url, AGENT_DATA_DIR: join(folder, 'data'), AGENT_LOOPBACK_PORT: '0' };
  // The agent is bundled as in a release, because starting from source is several times slower.
  const script = join(folder, 'agent.cjs');
  await writeFile(script, await bundle('linux-x64', nativeName('linux-x64'), null));
  const supervisor = spawn(process.execPath, [script, '--keep-running', '--code', 'ABCD-EFGH'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [supervisor.stdout, supervisor.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const starts = () => output.split(protects).length - 1;
  const [failures, restartTimes]: [string[], number[]] = [[], []];
  const files: string[] = [];
  try {
    await until('protection', () => starts() === 1, 20_000);
    for (let round = 1; round <= rounds; round++) {
      const file = join(folder, String(round), name);
      await mkdir(join(folder, String(round)));
      await copyFile('/bin/sleep', file);
      files.push(file);
      const program = spawn(file, ['60'], { stdio: 'ignore' });
      const exited = once(program, 'exit');
      await sleep(randomInt(0, 25));
      process.kill(agentBelow(supervisor), 'SIGKILL');
      const killed = performance.now();
      await until('the agent to be back', () => starts() === round + 1, 20_000);
      restartTimes.push(performance.now() - killed);
      const hasExited = await Promise.race([exited.then(() => true), sleep(10_000, false)]);
      if (!hasExited) failures.push(`round ${round}: the program was not ended`);
      program.kill('SIGKILL');
      if (round % 10 === 0) log(`${round} of ${rounds}: back after ${Math.round(Math.max(...restartTimes))} ms at most`);
    }
    const reportsOf = (file: string) => [...server.detections.values()].filter(({ details }) => details === file).length;
    await until('all to be told', () => files.every((file) => reportsOf(file) > 0), 10_000).catch(() => {});
    for (const [n, file] of files.entries()) if (reportsOf(file) !== 1) failures.push(`round ${n + 1}: told ${reportsOf(file)} times`);
    const slowRestarts = restartTimes.filter((ms) => ms > backWithin);
    if (slowRestarts.length) failures.push(`${slowRestarts.length} times back only after ${slowRestarts.map(Math.round).join(', ')} ms`);
    if (server.enrolled.length !== 1) failures.push(`linked ${server.enrolled.length} times`);
    if (!server.problems.includes(messages.terminal.restarted)) failures.push('the server was not told that it had been started again');
    supervisor.kill('SIGTERM');
    const [code] = (await once(supervisor, 'exit')) as [number | null];
    if (code !== 0) failures.push(`it ended with ${code}`);
    return failures;
  } catch (err) {
    return [...failures, `${String(err)} It said: ${output}`];
  } finally {
    supervisor.kill('SIGTERM');
    await server.close();
  }
}

function agentBelow({ pid }: ChildProcess): number {
  const agent = readChildren(pid ?? 0)?.[0];
  if (!agent) throw new Error('there is no agent to kill');
  return agent;
}
