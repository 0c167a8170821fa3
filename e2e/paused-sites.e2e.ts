import { expect } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { freePort } from '@porchlight/dev/ports.ts';
import { checkScreen } from './lib/accessibility.ts';
import { pageOf } from './lib/accounts.ts';
import { addressOf, startDnsServer } from './lib/dns-server.ts';
import { inviteGuardian } from './lib/guardians.ts';
import { registeredPerson } from './lib/people.ts';
import { linkIn, mailTo } from './lib/screens.ts';
import { test } from './lib/test.ts';
import { windowAgent } from './lib/window-agent.ts';

const email = 'bob.paused@example.org';

test('[P16.2] Ann opens two pages that only look like USPS and PayPal, the third waits for Bob, and his yes opens it', async ({
  page: window,
  browser,
  sharedWorlds,
}) => {
  const { world } = await sharedWorlds();
  const ann = await registeredPerson(world, 'Ann Example');
  const [network, port] = [await startDnsServer(), await freePort()];
  const agent = await windowAgent(world, { windows: true, dns: { port, upstream: network.port } });
  try {
    const bob = await pageOf(browser, world, null, { viewport: { width: 390, height: 844 } });
    await inviteGuardian(bob, world, ann, 'Bob', email);
    const { login_code } = await call(world.url, 'POST /web/create-device', { token: ann.token, body: { name: 'Den PC' } });
    await agent.open(window);
    await window.getByLabel('Your code').fill(login_code ?? '');
    await window.getByRole('button', { name: 'Connect' }).click();
    const opens = async (name: string) => (await addressOf(name, port).catch(() => null)) === '192.0.2.1';
    const isPaused = (brand: string) =>
      window.getByRole('heading', { level: 1, name: `This isn’t really ${brand}, as far as we can tell` });
    for (const [name, brand] of [
      ['usps.com-trackbx.top', 'USPS'],
      ['paypal-account-help.top', 'PayPal'],
    ] as const) {
      await expect.poll(() => opens(name)).toBe(false);
      await agent.open(window);
      await expect(isPaused(brand)).toBeVisible();
      await checkScreen(window);
      await window.getByRole('button', { name: 'Open it for an hour' }).click();
      await expect(window.getByRole('status').filter({ hasText: 'Load the page again.' })).toBeVisible();
      await expect.poll(() => opens(name)).toBe(true);
    }
    const toll = 'e-zpass.com-etcbx.top';
    expect(await opens(toll)).toBe(false);
    await expect(isPaused('E-ZPass')).toBeVisible();
    await window.getByRole('button', { name: 'Ask Bob to open it' }).click();
    await expect(window.getByText('We asked Bob.')).toBeVisible();
    await bob.goto(linkIn(await mailTo(world, email, /wants to open com-etcbx.top/)));
    await expect(bob.getByRole('heading', { name: 'Someone at Den PC wants to open com-etcbx.top' })).toBeVisible();
    await checkScreen(bob);
    expect(await opens(toll)).toBe(false);
    await bob.getByRole('button', { name: 'Yes, it is all right' }).click();
    await expect(bob.getByRole('status').filter({ hasText: 'Thank you' })).toBeFocused();
    await expect.poll(() => opens(toll), { timeout: 60_000 }).toBe(true);
    expect(await opens('coinbase-verify.top')).toBe(false);
  } finally {
    await agent.close();
    network.close();
  }
});
