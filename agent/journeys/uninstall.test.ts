import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serverForTest, temporaryFolder } from '../testing/agent.ts';
import { type Run, runAgent } from '../testing/process.ts';
import { type TestServer, testPin } from '../testing/server.ts';

function agent(server: TestServer, folder: string, args: string[] = [], input = ''): Run {
  const run = runAgent(server, folder, args, input);
  onTestFinished(() => void run.child.kill('SIGKILL'));
  return run;
}
async function device() {
  const server = await serverForTest();
  server.setDefinitions({ definitions: [] });
  const folder = join(await temporaryFolder(), 'data');
  const running = agent(server, folder, ['--code', 'ABCD-EFGH']);
  await running.printed('Porchlight protects this computer');
  const command = async (args: string[], input = '') => {
    const run = agent(server, folder, args, input);
    return [await run.ended, run.output()];
  };
  return { server, folder, running, command };
}

describe('[P4.6] uninstalling', () => {
  it('uninstall is refused without the right PIN, and five wrong PINs are reported', async () => {
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
    expect(await command(['--uninstall'], `${testPin}\n`)).toEqual([3, expect.stringContaining('Too many wrong PINs')]);
    running.child.kill('SIGTERM');
    expect(await running.ended).toBe(0);
    expect(server.goodbyes).toEqual([{ reason: 'stopped' }]);
  });

  it('--verify-pin accepts the PIN from a file, deletes the file, and changes nothing else', async () => {
    const { server, folder, running, command } = await device();
    const file = join(folder, 'pin');
    await writeFile(file, testPin);
    expect(await command(['--verify-pin', '--pin-file', file])).toEqual([0, '']);
    expect(existsSync(file)).toBe(false);
    running.child.kill('SIGTERM');
    expect(await running.ended).toBe(0);
    expect(server.goodbyes).toEqual([{ reason: 'stopped' }]);
  });
});
