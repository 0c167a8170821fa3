import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { serverForTest, temporaryFolder } from '../testing/agent.ts';
import { runAgent } from '../testing/process.ts';
import { testPin } from '../testing/server.ts';
import { messages } from '../ui/messages/messages.ts';

it('A12: the command line accepts no PIN: a code for another account opens a question in the window, which asks for the PIN', async () => {
  const server = await serverForTest();
  server.setDefinitions({ definitions: [] });
  const folder = join(await temporaryFolder(), 'data');
  const start = (args: string[], input = '') => {
    const run = runAgent(server, folder, args, input);
    onTestFinished(() => void run.child.kill('SIGKILL'));
    return run;
  };
  const firstAgent = start(['--code', 'ABCD-EFGH']);
  await firstAgent.printed('Porchlight protects this computer');
  firstAgent.child.kill('SIGTERM');
  await firstAgent.ended;

  for (const pin of [['--pin', testPin], ['--pin']]) {
    const run = start(['--code', 'BCDE-FGHJ', ...pin], `${testPin}\n`);
    expect([await run.ended, run.output()]).toEqual([1, expect.stringContaining("Unknown option '--pin'")]);
    expect(run.output()).not.toContain(testPin);
  }
  const asking = start(['--code', 'BCDE-FGHJ'], `${testPin}\n`);
  await asking.printed(messages.terminal.asked);
  expect(server.enrolled).toEqual(['ABCD-EFGH']);
});
