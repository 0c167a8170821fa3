// Tier: whole. It starts supervisors and agents as processes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { listPids, readCommand, readStat } from '../os/linux/proc.ts';
import { serverForTest, temporaryFolder } from '../testing/agent.ts';
import { killAgentTrial } from '../testing/kill-agent.ts';
import { until } from '../testing/until.ts';
import { messages } from '../ui/messages/messages.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

async function supervisor(args: string[] = []) {
  const server = await serverForTest();
  const folder = join(await temporaryFolder(), 'data');
  const env = { PATH: process.env.PATH, PORCHLIGHT_SERVER: server.url, AGENT_DATA_DIR: folder, AGENT_LOOPBACK_PORT: '0' };
  const child = spawn(process.execPath, [main, '--keep-running', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGTERM'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return { child, server, said: () => output, times: (sentence: string) => output.split(sentence).length - 1 };
}

it('[P4.7] a killed agent restarts within 5 s and logs it, and no detection is lost or reported twice', async () => {
  expect(await killAgentTrial(await temporaryFolder(), 3)).toEqual([]);
});

it('the supervisor ends when its agent was asked to stop', async () => {
  const { child, said, times } = await supervisor();
  await until('the start', () => times(messages.terminal.idle) === 1);
  child.kill('SIGTERM');
  expect((await once(child, 'exit'))[0]).toBe(0);
  expect(said()).not.toContain(messages.terminal.died);
});

it('the supervisor does not restart an agent that cannot start', async () => {
  const { child, said } = await supervisor(['--what']);
  expect((await once(child, 'exit'))[0]).toBe(1);
  expect(said()).toContain('--code ABCD-EFGH');
  expect(said()).not.toContain(messages.terminal.died);
});

it('an agent whose supervisor is killed starts a new supervisor', async () => {
  const { child, times, said } = await supervisor();
  await until('the start', () => times(messages.terminal.idle) === 1);
  const mainsBefore = new Set(runningMains());
  child.kill('SIGKILL');
  await until('the next one', () => times(messages.terminal.idle) === 2);
  const newMains = runningMains().filter((pid) => !mainsBefore.has(pid) && readCommand(pid).length > 0);
  expect(newMains).toHaveLength(2);
  for (const pid of newMains) terminate(pid);
  await until('their end', () => newMains.every((pid) => !runningMains().includes(pid)));
  expect(said()).not.toContain('Another Porchlight agent');
});

/** A supervisor that ends may have ended its agent already. */
function terminate(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (err) {
    expect(err).toMatchObject({ code: 'ESRCH' });
  }
}

const runningMains = () => listPids().filter((pid) => readCommand(pid).includes(main) && readStat(pid)?.state !== 'Z');
