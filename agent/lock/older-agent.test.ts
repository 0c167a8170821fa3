import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sealedFiles, stateKey } from '../state/sealed.ts';
import { agentForTest, linked, type TestAgent } from '../testing/agent.ts';
import { browserOf } from '../testing/browser.ts';
import { type TestServer, testPin } from '../testing/server.ts';

async function withoutCount(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (name.startsWith('pin-tries')) await rm(join(folder, name));
}

/** What a device has on its disk whose agent began to count PINs with the first try, and was never given one. */
async function asOlderAgent({ store, folder }: TestAgent): Promise<void> {
  const identity = await store.identity();
  await sealedFiles(await stateKey(folder), () => {}).write(join(folder, 'identity.json'), identity);
  await withoutCount(folder);
}

const restarted = (server: TestServer, { folder, clock }: TestAgent) => agentForTest(server, { folder, clock });
/** What the window says to the right PIN. */
const pause = async (test: TestAgent): Promise<string> => {
  const { text } = await (await browserOf(test)).press('pause', { minutes: '1', pin: testPin, understood: 'yes' });
  return /role="alert">([^<]*)/.exec(text)?.[1] ?? /Protection is paused/.exec(text)?.[0] ?? text;
};

it('[P2.6] the first PIN after an update from an agent without a count is checked, and nobody is notified', async () => {
  const { server, test } = await linked();
  await test.close();
  await asOlderAgent(test);
  const again = await restarted(server, test);
  expect(await pause(again)).toBe('Protection is paused');
  expect(await again.store.pendingNews()).not.toContainEqual(expect.objectContaining({ said: { kind: 'pin_guessed' } }));
  expect(server.news.map(({ said }) => said.kind)).not.toContain('pin_guessed');
});

it('[P2.6] an update keeps the count of wrong PINs of an agent that counted only those', async () => {
  const { server, test } = await linked();
  await test.close();
  await asOlderAgent(test);
  await test.store.setPinTries({ wrong: 4, locks: 0, lock: null });
  const again = await restarted(server, test);
  expect(await again.store.pinTries()).toMatchObject({ wrong: 4 });
});

it.each([
  ['of an agent that has counted from the first', async () => {}],
  ['once the update has begun to count', asOlderAgent],
])('A12: a count that is taken away %s locks for a day', async (_when, before) => {
  const { server, test } = await linked();
  await test.close();
  await before(test);
  const first = await restarted(server, test);
  await first.close();
  await withoutCount(test.folder);
  const again = await restarted(server, test);
  expect(await pause(again)).toContain('You can try again in 1440 minutes');
});
