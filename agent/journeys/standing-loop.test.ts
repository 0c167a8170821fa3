// Tier: whole. It kills agents as processes.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { agentForTest, serverForTest } from '../testing/agent.ts';
import { until } from '../testing/until.ts';

const script = fileURLToPath(new URL('../testing/standing-agent.ts', import.meta.url));

function start(folder: string, server: string): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, [script, folder, server], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  return { child, output: () => output };
}

it('[P4.7] an agent whose event loop stops at the files of a user is ended, leaves them out at the next start, and reports that once', async () => {
  const server = await serverForTest();
  const linkedAgent = await agentForTest(server);
  await linkedAgent.linked();
  await linkedAgent.close();

  const first = start(linkedAgent.folder, server.url);
  const [, signal] = await once(first.child, 'exit');
  expect([signal, first.output()]).toEqual(['SIGKILL', 'started\n']);

  for (let n = 0; n < 2; n++) {
    const next = start(linkedAgent.folder, server.url);
    await until('the start', () => next.output().includes('menu: '));
    expect(next.output()).toContain('menu: left out, autostart: read');
    await until('the report', () => server.events.length > 0);
    next.child.kill('SIGKILL');
    await once(next.child, 'exit');
  }
  expect(server.events).toMatchObject([{ reported: { kind: 'left_out', source: 'menu' } }]);
}, 60_000);

it('an agent that is stopped by a signal while it reads the files of a user is not ended for that', async () => {
  const server = await serverForTest();
  const linkedAgent = await agentForTest(server);
  await linkedAgent.close();
  const { child, output } = start(linkedAgent.folder, server.url);
  await until('its start', () => output().includes('started'));
  child.kill('SIGSTOP');
  const since = Date.now();
  await until('more than five seconds', () => Date.now() - since > 6000);
  child.kill('SIGCONT');
  const continued = Date.now();
  await once(child, 'exit');
  // It had read for a moment before, and needs its own five seconds.
  expect(Date.now() - continued).toBeGreaterThan(3000);
}, 60_000);
