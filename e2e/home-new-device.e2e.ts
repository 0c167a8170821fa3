import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { registeredPerson } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf } from './lib/accounts.ts';
import { anyDevice } from './lib/device-info.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** After a set-up the first screen looks for the new device. */

let world: World;
withWorld((its) => {
  world = its;
});

const add = (page: Page) => page.getByRole('link', { name: 'Add Device', exact: true });
const heading = (page: Page) => page.getByRole('heading', { name: /^Your devices/ });

test.describe('looking for new devices', () => {
  const loads = (page: Page) => {
    const seen = { count: 0 };
    page.on('request', (request) => {
      if (request.method() === 'GET' && request.url() === `${world.url}/api/web/devices`) seen.count += 1;
    });
    return seen;
  };
  /** To a moment of the page's clock, and until what it brought has left the page. */
  const until = async (page: Page, moment: number) => {
    await page.clock.runFor(moment - (await page.evaluate(() => Date.now())));
    await page.evaluate(() => fetch('/readyz'));
  };
  /** On the dashboard with a clock that stands still, `leave` having been done in its last moment, which is answered. */
  const leaveStanding = async (page: Page, leave: () => Promise<void>) => {
    await page.clock.pauseAt(new Date(Date.now() + 60_000));
    const left = await page.evaluate(() => Date.now());
    await leave();
    await expect(async () => {
      await page.clock.runFor(50);
      await expect(heading(page)).toHaveText(/^Your devices \(/, { timeout: 100 });
    }).toPass();
    expect((await page.evaluate(() => Date.now())) - left).toBeLessThan(5_000);
    return left;
  };
  const toSend = async (page: Page, name: string) => {
    await add(page).click();
    await page.getByRole('button', { name: 'Another device' }).click();
    await page.getByLabel('Device name').fill(name);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.locator('.code')).toBeVisible();
  };

  test('[2.60] [2.68] [4.13] [9.5] leaving the send step reloads the list every ten seconds, twelve times, and then no more', async ({
    browser,
  }) => {
    const ann = await registeredPerson(world);
    const page = await pageOf(browser, world, ann);
    const seen = loads(page);
    await page.clock.install();
    await page.goto(world.dashboardUrl);
    await toSend(page, 'Mum’s laptop');
    const code = (await page.locator('.code').textContent()) ?? '';
    const left = await leaveStanding(page, () => page.getByRole('link', { name: 'Continue to dashboard' }).click());
    const first = seen.count;
    for (let turn = 1; turn <= 12; turn++) {
      await until(page, left + turn * 10_000 - 100);
      expect(seen.count, `just before turn ${turn}`).toBe(first + turn - 1);
      if (turn === 6) {
        await expect(page.getByText('Pending install')).toBeVisible();
        await call(world.url, 'POST /agent/enrol', { body: { code, info: anyDevice } });
      }
      await until(page, left + turn * 10_000 + 100);
      await expect.poll(() => seen.count, { message: `just after turn ${turn}` }).toBe(first + turn);
      if (turn !== 6) continue;
      // Rendering takes real time, and may be late.
      await expect(async () => {
        await page.clock.runFor(50);
        await expect(page.getByText('Pending install')).toHaveCount(0, { timeout: 100 });
      }).toPass({ timeout: 20_000 });
    }
    await until(page, left + 165_000);
    expect(seen.count).toBe(first + 12);
  });

  test('[2.60] [2.68] finishing again within that time begins it anew, at the same pace; leaving any other way to another page counts too', async ({
    browser,
  }) => {
    const page = await pageOf(browser, world, await registeredPerson(world));
    const seen = loads(page);
    await page.clock.install();
    await page.goto(world.dashboardUrl);
    await toSend(page, 'First PC');
    await page.getByRole('link', { name: 'Continue to dashboard' }).click();
    await toSend(page, 'Second PC');
    const left = await leaveStanding(page, async () => {
      await page.getByRole('link', { name: 'Profile', exact: true }).click();
      await expect(page).toHaveURL(`${world.dashboardUrl}/profile`);
      await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
    });
    const first = seen.count;
    await until(page, left + 9_900);
    expect(seen.count).toBe(first);
    await until(page, left + 30_100);
    await expect.poll(() => seen.count).toBe(first + 3);
  });

  test('[2.60] [2.68] leaving the download step, for this device, reloads the list too', async ({ browser }) => {
    const page = await pageOf(browser, world, await registeredPerson(world));
    const seen = loads(page);
    await page.clock.install();
    await page.goto(world.dashboardUrl);
    await add(page).click();
    await page.getByRole('button', { name: 'This device' }).click();
    await page.getByLabel('Device name').fill('Den PC');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page).toHaveURL(/step=download$/);
    await expect(page.locator('.code')).toBeVisible();
    const left = await leaveStanding(page, () => page.getByRole('link', { name: 'Continue to dashboard' }).click());
    const first = seen.count;
    await until(page, left + 20_100);
    await expect.poll(() => seen.count).toBe(first + 2);
  });

  test('[2.68] whoever leaves before there is anything to connect has finished nothing, and before a set-up nothing is looked for', async ({
    browser,
  }) => {
    const page = await pageOf(browser, world, await registeredPerson(world));
    const seen = loads(page);
    await page.clock.install();
    await page.goto(`${world.dashboardUrl}/add-device?step=download`);
    await expect(page).toHaveURL(/step=policy$/);
    await expect(page.getByLabel('Device name')).toBeVisible();
    const left = await leaveStanding(page, () => page.getByRole('link', { name: 'Cancel' }).click());
    const first = seen.count;
    await until(page, left + 50_000);
    expect(seen.count).toBe(first);
  });
});
