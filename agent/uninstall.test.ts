import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serverForTest, temporaryFolder } from './testing/agent.ts';
import { type Run, runAgent } from './testing/process.ts';
import { type TestServer, testPin } from './testing/server.ts';
import { until } from './testing/until.ts';

function agent(server: TestServer, folder: string, args: string[] = [], input = ''): Run {
  const run = runAgent(server, folder, args, input);
  onTestFinished(() => void run.child.kill('SIGKILL'));
  return run;
}
/** A device whose agent runs. */
async function device() {
  const server = await serverForTest();
  server.setDefinitions({ definitions: [] });
  const folder = join(await temporaryFolder(), 'data');
  const running = agent(server, folder, ['--code', 'ABCD-EFGH']);
  await until('protection', () => running.said().includes('Porchlight protects this computer'));
  const command = async (args: string[], input = '') => {
    const run = agent(server, folder, args, input);
    return [await run.over, run.said()];
  };
  return { server, folder, running, command };
}

describe('[P4.6] uninstalling', () => {
  it('is refused without the PIN and with a wrong one: then nothing is told, and five of them are', async () => {
    const { server, folder, running, command } = await device();
    for (const input of ['', '000000\n'])
      expect(await command(['--uninstall'], input)).toEqual([3, expect.stringContaining('That is not the PIN.')]);
    const file = join(folder, 'pin');
    await writeFile(file, '000000\r\n');
    expect(await command(['--verify-pin', '--pin-file', file])).toEqual([3, expect.stringContaining('You can try 2 more times.')]);
    expect(existsSync(file)).toBe(false);
    expect(server.goodbyes).toEqual([]);
    await command(['--verify-pin'], '000000\n');
    await command(['--verify-pin'], '000000\n');
    expect(await command(['--uninstall'], `${testPin}\n`)).toEqual([3, expect.stringContaining('None is taken')]);
    running.child.kill('SIGTERM');
    expect(await running.over).toBe(0);
    expect(server.goodbyes).toEqual([{ reason: 'stopped' }]);
  });

  it('with the PIN proves that a name is found, tells the server, and the end of the agent that follows is no alarm', async () => {
    const { server, folder, running, command } = await device();
    // From a file that is gone then, as Windows' uninstaller hands it over.
    const file = join(folder, 'pin');
    await writeFile(file, testPin);
    expect(await command(['--verify-pin', '--pin-file', file])).toEqual([0, '']);
    expect(existsSync(file)).toBe(false);
    expect(server.goodbyes).toEqual([]);
    expect(await command(['--uninstall'], `${testPin}\n`)).toEqual([
      0,
      'The network is as it was before. Porchlight can be removed now.\n',
    ]);
    expect(server.goodbyes).toEqual([{ reason: 'uninstalled' }]);
    running.child.kill('SIGTERM');
    expect(await running.over).toBe(0);
    expect(server.goodbyes.map(({ reason }) => reason)).toEqual(['uninstalled', 'uninstalled']);
  });

  it('needs no PIN on a computer that belongs to nobody', async () => {
    const server = await serverForTest();
    const folder = join(await temporaryFolder(), 'data');
    const run = agent(server, folder, ['--uninstall']);
    expect(await run.over).toBe(0);
    expect(server.goodbyes).toEqual([]);
  });
});
