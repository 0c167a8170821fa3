import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf } from './lib/accounts.ts';
import { anyDevice } from './lib/device-info.ts';
import { registeredPerson } from './lib/people.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});

const add = (page: Page) => page.getByRole('link', { name: 'Add Device', exact: true });
const heading = (page: Page) => page.getByRole('heading', { name: /^Your devices/ });

test.describe('polling for new devices', () => {
  const countLoads = (page: Page) => {
    const loadCounter = { count: 0 };
    page.on('request', (request) => {
      if (request.method() === 'GET' && request.url() === `${world.url}/api/web/devices`) loadCounter.count += 1;
    });
    return loadCounter;
  };
  /** Waits until the requests have left the page. */
  const runUntil = async (page: Page, moment: number) => {
    await page.clock.runFor(moment - (await page.evaluate(() => Date.now())));
    await page.evaluate(() => fetch('/readyz'));
  };
  const leaveWithPausedClock = async (page: Page, leave: () => Promise<void>) => {
    await page.clock.pauseAt(new Date(Date.now() + 60_000));
    const leftAt = await page.evaluate(() => Date.now());
    await leave();
    await expect(async () => {
      await page.clock.runFor(50);
      await expect(heading(page)).toHaveText(/^Your devices \(/, { timeout: 100 });
    }).toPass();
    expect((await page.evaluate(() => Date.now())) - leftAt).toBeLessThan(5_000);
    return leftAt;
  };
  const toSend = async (page: Page, name: string) => {
    await add(page).click();
    await page.getByRole('button', { name: 'Another device' }).click();
    await page.getByLabel('Device name').fill(name);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.locator('.code')).toBeVisible();
  };

  test('[2.60] [2.68] [4.13] [9.5] leaving the send step reloads the list every ten seconds, twelve times, and then no longer', async ({
    browser,
  }) => {
    const ann = await registeredPerson(world);
    const page = await pageOf(browser, world, ann);
    const loadCounter = countLoads(page);
    await page.clock.install();
    await page.goto(world.dashboardUrl);
    await toSend(page, 'Mum’s laptop');
    const code = (await page.locator('.code').textContent()) ?? '';
    const leftAt = await leaveWithPausedClock(page, () => page.getByRole('link', { name: 'Continue to dashboard' }).click());
    const firstCount = loadCounter.count;
    for (let turn = 1; turn <= 12; turn++) {
      await runUntil(page, leftAt + turn * 10_000 - 100);
      expect(loadCounter.count, `just before turn ${turn}`).toBe(firstCount + turn - 1);
      if (turn === 6) {
        await expect(page.getByText('Pending install')).toBeVisible();
        await call(world.url, 'POST /agent/enrol', { body: { code, info: anyDevice, enrol_id: randomUUID() } });
      }
      await runUntil(page, leftAt + turn * 10_000 + 100);
      await expect.poll(() => loadCounter.count, { message: `just after turn ${turn}` }).toBe(firstCount + turn);
      if (turn !== 6) continue;
      // Rendering takes real time.
      await expect(async () => {
        await page.clock.runFor(50);
        await expect(page.getByText('Pending install')).toHaveCount(0, { timeout: 100 });
      }).toPass({ timeout: 20_000 });
    }
    await runUntil(page, leftAt + 165_000);
    expect(loadCounter.count).toBe(firstCount + 12);
  });

  test('[2.60] [2.68] finishing again within that time restarts the polling at the same pace, and leaving for any other page counts too', async ({
    browser,
  }) => {
    const page = await pageOf(browser, world, await registeredPerson(world));
    const loadCounter = countLoads(page);
    await page.clock.install();
    await page.goto(world.dashboardUrl);
    await toSend(page, 'First PC');
    await page.getByRole('link', { name: 'Continue to dashboard' }).click();
    await toSend(page, 'Second PC');
    const leftAt = await leaveWithPausedClock(page, async () => {
      await page.getByRole('link', { name: 'Profile', exact: true }).click();
      await expect(page).toHaveURL(`${world.dashboardUrl}/profile`);
      await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
    });
    const firstCount = loadCounter.count;
    await runUntil(page, leftAt + 9_900);
    expect(loadCounter.count).toBe(firstCount);
    await runUntil(page, leftAt + 30_100);
    await expect.poll(() => loadCounter.count).toBe(firstCount + 3);
  });

  test('[2.60] [2.68] leaving the download step, for this device, reloads the list too', async ({ browser }) => {
    const page = await pageOf(browser, world, await registeredPerson(world));
    const loadCounter = countLoads(page);
    await page.clock.install();
    await page.goto(world.dashboardUrl);
    await add(page).click();
    await page.getByRole('button', { name: 'This device' }).click();
    await page.getByLabel('Device name').fill('Den PC');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page).toHaveURL(/step=download$/);
    await expect(page.locator('.code')).toBeVisible();
    const leftAt = await leaveWithPausedClock(page, () => page.getByRole('link', { name: 'Continue to dashboard' }).click());
    const firstCount = loadCounter.count;
    await runUntil(page, leftAt + 20_100);
    await expect.poll(() => loadCounter.count).toBe(firstCount + 2);
  });

  test('[2.68] leaving before a device was created starts no polling, nor does a dashboard without a set-up', async ({ browser }) => {
    const page = await pageOf(browser, world, await registeredPerson(world));
    const loadCounter = countLoads(page);
    await page.clock.install();
    await page.goto(`${world.dashboardUrl}/add-device?step=download`);
    await expect(page).toHaveURL(/step=policy$/);
    await expect(page.getByLabel('Device name')).toBeVisible();
    const leftAt = await leaveWithPausedClock(page, () => page.getByRole('link', { name: 'Cancel' }).click());
    const firstCount = loadCounter.count;
    await runUntil(page, leftAt + 50_000);
    expect(loadCounter.count).toBe(firstCount);
  });
});
