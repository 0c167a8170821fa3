import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { agentForTest, linked } from '../testing/agent.ts';
import { browserOf } from '../testing/browser.ts';
import { testPin } from '../testing/server.ts';

it('A12: a PIN count that was deleted locks for a day', async () => {
  const { server, test } = await linked();
  const { folder, clock } = test;
  await test.close();
  const firstAgent = await agentForTest(server, { folder, clock });
  await firstAgent.close();
  for (const name of await readdir(folder)) if (name.startsWith('pin-tries')) await rm(join(folder, name));
  const restartedAgent = await agentForTest(server, { folder, clock });
  const { text } = await (await browserOf(restartedAgent)).press('pause', { minutes: '1', pin: testPin, understood: 'yes' });
  expect(/role="alert">([^<]*)/.exec(text)?.[1] ?? text).toContain('You can try again in 24 hours');
});
