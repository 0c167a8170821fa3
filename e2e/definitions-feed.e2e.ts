// Its own server: it fetches a feed of definitions.
import { expect } from '@playwright/test';
import { day } from '@porchlight/contract/time.ts';
import type { Recognition } from '@porchlight/definitions/recognition.ts';
import { shippedRecognition } from '@porchlight/definitions/shipped.ts';
import { definitionWith } from '@porchlight/definitions/testing/definition-with.ts';
import { call } from '@porchlight/dev/call.ts';
import { freePort } from '@porchlight/dev/ports.ts';
import { publishedFeed } from '@porchlight/server/testing/published-feed.ts';
import { addressOf, startDnsServer } from './lib/dns-server.ts';
import { registeredPerson } from './lib/people.ts';
import { operator } from './lib/subscribe.ts';
import { test } from './lib/test.ts';
import { windowAgent } from './lib/window-agent.ts';
import { startTestWorld } from './lib/worlds.ts';

const shipped = shippedRecognition();
const [pattern] = shipped.commands.patterns;
if (!pattern) throw new Error('there is no pattern');
const inFeed: Recognition = {
  ...shipped,
  definitions: [...shipped.definitions, definitionWith('new-desk', { programs: { names: [{ os: 'windows', name: 'NewDesk.exe' }] } })],
  commands: {
    ...shipped.commands,
    patterns: [
      ...shipped.commands.patterns,
      {
        ...pattern,
        ...{ identifier: 'new-trick', name: 'a pasted new trick', os: ['windows'], programs: ['newtrick'] },
        ...{ started_from: ['desktop'], must: [['fetch-it']], address: 'web' },
      },
    ],
  },
  money: [...shipped.money, { kind: 'bank', domains: ['new-bank.example'] }],
};

test('[P16.1] a tool, a command and a bank that were just published are known to a computer that let each of them go before', async ({
  page,
}) => {
  let issued = new Date(Date.now() - 14 * day);
  const feed = await publishedFeed(() => issued);
  const [network, port] = [await startDnsServer(), await freePort()];
  feed.publish(1, shipped);
  const world = await startTestWorld({ env: feed.env });
  try {
    const ann = await registeredPerson(world, 'Ann Example');
    // Otherwise the command waits for another reason: no program like it ever ran there.
    await call(world.url, 'PATCH /web/unlisted-protection', { token: ann.token, body: { new_programs: 'count' } });
    const agent = await windowAgent(world, { windows: true, dns: { port, upstream: network.port } });
    try {
      const { login_code } = await call(world.url, 'POST /web/create-device', { token: ann.token, body: { name: 'Den PC' } });
      await agent.open(page);
      await page.getByLabel('Your code').fill(login_code ?? '');
      await page.getByRole('button', { name: 'Connect' }).click();
      await expect(page.getByLabel('Your code')).toHaveCount(0);
      const { start, isRunning, isSuspended } = agent.windows;
      const trick = () => start({ name: 'newtrick.exe' }, { line: 'newtrick fetch-it https://evil.example/a', from: 'explorer.exe' });
      const addressOfBank = () => addressOf('www.new-bank.example', port).catch((err: Error) => err.message);
      const known = await start({ name: 'AnyDesk.exe' });
      await expect.poll(() => isRunning(known)).toBe(false);
      await expect.poll(() => addressOf('www.chase.com', port).catch((err: Error) => err.message)).not.toBe('192.0.2.1');
      const before = { tool: await start({ name: 'NewDesk.exe' }), trick: await trick() };
      expect(await addressOfBank()).toBe('192.0.2.1');
      expect([await isRunning(before.tool), await isSuspended(before.trick)]).toEqual([true, false]);

      issued = new Date();
      feed.publish(2, inFeed);
      await operator(world, 'definitions', 'fetch');
      await expect.poll(() => isRunning(before.tool), { timeout: 60_000 }).toBe(false);
      await expect.poll(async () => isSuspended(await trick())).toBe(true);
      await expect.poll(addressOfBank).not.toBe('192.0.2.1');
      expect(await addressOf('knitting.example', port)).toBe('192.0.2.1');
    } finally {
      await agent.close();
    }
  } finally {
    feed.close();
    network.close();
    await world.close();
  }
});
