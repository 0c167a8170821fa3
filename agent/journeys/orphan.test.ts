// Tier: whole. It starts agents as processes.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { serverForTest, temporaryFolder } from '../testing/agent.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

/** Starts the agent as `npm start` does: the IPC channel shows whether the parent lives. */
async function child(): Promise<ChildProcess> {
  const server = await serverForTest();
  const { PATH, HOME } = process.env;
  const env = {
    PATH,
    HOME,
    PORCHLIGHT_SERVER: server.url,
    AGENT_DATA_DIR: join(await temporaryFolder(), 'data'),
    AGENT_LOOPBACK_PORT: '0',
  };
  const running = spawn(process.execPath, [main], { env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  onTestFinished(() => void running.kill('SIGKILL'));
  return running;
}

test('an agent whose parent ended before the agent could listen ends too', async () => {
  const running = await child();
  running.disconnect();
  expect(await once(running, 'exit')).toEqual([0, null]);
});

test('an agent runs until its parent ends', async () => {
  const running = await child();
  expect((await once(running, 'message'))[0]).toBe('ready');
  expect(running.exitCode).toBeNull();
  running.disconnect();
  expect(await once(running, 'exit')).toEqual([0, null]);
});
