import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sealedFiles, stateKey } from '../state/sealed-files.ts';
import { agentForTest, linked, type TestAgent } from '../testing/agent.ts';
import { browserOf } from '../testing/browser.ts';
import { type TestServer, testPin } from '../testing/server.ts';

async function withoutCount(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (name.startsWith('pin-tries')) await rm(join(folder, name));
}

/** Makes the disk that of an older agent, which had not created the PIN count yet. */
async function asOlderAgent({ store, folder }: TestAgent): Promise<void> {
  const identity = await store.identity();
  await sealedFiles(await stateKey(folder), () => {}).write(join(folder, 'identity.json'), identity);
  await withoutCount(folder);
}

const restarted = (server: TestServer, { folder, clock }: TestAgent) => agentForTest(server, { folder, clock });
const pause = async (test: TestAgent): Promise<string> => {
  const { text } = await (await browserOf(test)).press('pause', { minutes: '1', pin: testPin, understood: 'yes' });
  return /role="alert">([^<]*)/.exec(text)?.[1] ?? /Protection is paused/.exec(text)?.[0] ?? text;
};

it('[P2.6] the first PIN after an update from an agent without a count is checked, and no guessing is reported', async () => {
  const { server, test } = await linked();
  await test.close();
  await asOlderAgent(test);
  const restartedAgent = await restarted(server, test);
  expect(await pause(restartedAgent)).toBe('Protection is paused');
  expect(await restartedAgent.store.pendingEvents()).not.toContainEqual(expect.objectContaining({ said: { kind: 'pin_guessed' } }));
  expect(server.events.map(({ said }) => said.kind)).not.toContain('pin_guessed');
});

it('[P2.6] an update preserves the number of wrong PINs of an older agent', async () => {
  const { server, test } = await linked();
  await test.close();
  await asOlderAgent(test);
  await test.store.setPinTries({ wrong: 4, locks: 0, lock: null });
  const restartedAgent = await restarted(server, test);
  expect(await restartedAgent.store.pinTries()).toMatchObject({ wrong: 4 });
});

it.each([
  ['of an agent that has counted from the first', async () => {}],
  ['once the update has begun to count', asOlderAgent],
])('A12: a PIN count that was deleted %s locks for a day', async (_when, prepare) => {
  const { server, test } = await linked();
  await test.close();
  await prepare(test);
  const firstAgent = await restarted(server, test);
  await firstAgent.close();
  await withoutCount(test.folder);
  const restartedAgent = await restarted(server, test);
  expect(await pause(restartedAgent)).toContain('You can try again in 1440 minutes');
});
