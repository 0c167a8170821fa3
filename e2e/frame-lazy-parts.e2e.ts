import { type ConsoleMessage, expect, type Page } from '@playwright/test';
import { registeredPerson } from '@porchlight/dev/people.ts';
import { startWorld, type World } from '@porchlight/dev/world.ts';
import { pageOf } from './lib/accounts.ts';
import { blockScript } from './lib/block-script.ts';
import { startErrorService } from './lib/integrations/error-service.ts';
import { test } from './lib/test.ts';

/** Small parts that come by themselves: one that does not come is a line on the console, and everything else is there. */

let world: World;
let errors: Awaited<ReturnType<typeof startErrorService>>;
test.beforeAll(async () => {
  errors = await startErrorService();
  world = await startWorld({ env: { SENTRY_DSN: errors.dsn } });
});
test.afterAll(async () => {
  await world?.close();
  await errors?.close();
});

function warnings(page: Page): string[] {
  const heard: string[] = [];
  const listen = (message: ConsoleMessage) => void (message.type() === 'warning' && heard.push(message.text()));
  page.on('console', listen);
  return heard;
}

test('[8.18] what belongs to third parties does not come: a warning on the console, and the page is all there', async ({ browser }) => {
  const page = await pageOf(browser, world, await registeredPerson(world));
  const heard = warnings(page);
  const lost = await blockScript(page, 'porchlight_consent');
  await page.goto(world.dashboardUrl);
  await expect.poll(() => heard.filter((text) => text.startsWith('A part did not load.'))).toHaveLength(1);
  expect(lost.size).toBe(1);
  await expect(page.getByRole('heading', { name: /^Good / })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await expect(page.getByRole('contentinfo')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('[8.16] what would show an offer does not come: a warning on the console, and one can register', async ({ page }) => {
  const heard = warnings(page);
  const lost = await blockScript(page, 'The offer could not be looked up');
  await page.goto(`${world.dashboardUrl}/register/WELCOME`);
  await expect.poll(() => heard.filter((text) => text.startsWith('A part did not load.'))).toHaveLength(1);
  expect(lost.size).toBe(1);
  await expect(page.getByLabel('Email')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});
