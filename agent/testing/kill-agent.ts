import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundle } from '@porchlight/packaging/bundle.ts';
import { nativeName } from '@porchlight/packaging/programs.ts';
import { childrenOf } from '../os/linux/proc.ts';
import { messages } from '../ui/messages/messages.ts';
import { testServer } from './server.ts';
import { until } from './until.ts';

/** P4.7, in milliseconds. */
const backWithin = 5000;
const protects = messages.terminal.watching('Laptop');

/**
 * Kills the agent with signal 9 in so many rounds, each at another moment of ending a program, and compares: it is back in time, each program was
 * ended, and the server has heard of each once. Answers what was wrong. `folder`: empty, and removed by the caller.
 */
export async function killAgentTrial(folder: string, rounds: number, log: (line: string) => void = () => {}): Promise<string[]> {
  const server = await testServer();
  // The agent sees all that runs here: what it ends bears a name of this trial alone.
  const name = `AnyDesk-${randomUUID()}`;
  const known = server.definitions.definitions.filter(({ identifier }) => identifier === 'anydesk');
  server.setDefinitions({
    definitions: known.map((d) => ({ ...d, programs: { ...d.programs, names: [{ os: 'linux' as const, name }] } })),
  });
  const env = { PATH: process.env.PATH, PORCHLIGHT_SERVER: server.url, AGENT_DATA_DIR: join(folder, 'data'), AGENT_LOOPBACK_PORT: '0' };
  // One file, as it is shipped: from its sources it would take several times as long to start.
  const script = join(folder, 'agent.cjs');
  await writeFile(script, await bundle('linux-x64', nativeName('linux-x64'), null));
  const supervisor = spawn(process.execPath, [script, '--keep-running', '--code', 'ABCD-EFGH'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [supervisor.stdout, supervisor.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const timesSaid = () => said.split(protects).length - 1;
  const [wrong, back]: [string[], number[]] = [[], []];
  const files: string[] = [];
  try {
    await until('protection', () => timesSaid() === 1, 20_000);
    for (let round = 1; round <= rounds; round++) {
      const file = join(folder, String(round), name);
      await mkdir(join(folder, String(round)));
      await copyFile('/bin/sleep', file);
      files.push(file);
      const program = spawn(file, ['60'], { stdio: 'ignore' });
      const gone = once(program, 'exit');
      await sleep(randomInt(0, 25));
      process.kill(agentBelow(supervisor), 'SIGKILL');
      const killed = performance.now();
      await until('the agent to be back', () => timesSaid() === round + 1, 20_000);
      back.push(performance.now() - killed);
      const over = await Promise.race([gone.then(() => true), sleep(10_000, false)]);
      if (!over) wrong.push(`round ${round}: the program was not ended`);
      program.kill('SIGKILL');
      if (round % 10 === 0) log(`${round} of ${rounds}: back after ${Math.round(Math.max(...back))} ms at most`);
    }
    const told = (file: string) => [...server.detections.values()].filter(({ details }) => details === file).length;
    await until('all to be told', () => files.every((file) => told(file) > 0), 10_000).catch(() => {});
    for (const [n, file] of files.entries()) if (told(file) !== 1) wrong.push(`round ${n + 1}: told ${told(file)} times`);
    const late = back.filter((ms) => ms > backWithin);
    if (late.length) wrong.push(`${late.length} times back only after ${late.map(Math.round).join(', ')} ms`);
    if (server.enrolled.length !== 1) wrong.push(`linked ${server.enrolled.length} times`);
    if (!server.problems.includes(messages.terminal.restarted)) wrong.push('the server was not told that it had been started again');
    supervisor.kill('SIGTERM');
    const [code] = (await once(supervisor, 'exit')) as [number | null];
    if (code !== 0) wrong.push(`it ended with ${code}`);
    return wrong;
  } catch (err) {
    return [...wrong, `${String(err)} It said: ${said}`];
  } finally {
    supervisor.kill('SIGTERM');
    await server.close();
  }
}

function agentBelow({ pid }: ChildProcess): number {
  const agent = childrenOf(pid ?? 0)?.[0];
  if (!agent) throw new Error('there is no agent to kill');
  return agent;
}
