// Its own server: it reports errors to a service of the test.
import { type ConsoleMessage, expect, type Page } from '@playwright/test';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf } from './lib/accounts.ts';
import { blockScript } from './lib/block-script.ts';
import { startErrorService } from './lib/integrations/error-service.ts';
import { registeredPerson } from './lib/people.ts';
import { test } from './lib/test.ts';
import { startTestWorld } from './lib/worlds.ts';

let world: World;
let errors: Awaited<ReturnType<typeof startErrorService>>;
test.beforeAll(async () => {
  errors = await startErrorService();
  world = await startTestWorld({ env: { SENTRY_DSN: errors.dsn } });
});
test.afterAll(async () => {
  await world?.close();
  await errors?.close();
});

function warnings(page: Page): string[] {
  const loggedWarnings: string[] = [];
  const listen = (message: ConsoleMessage) => void (message.type() === 'warning' && loggedWarnings.push(message.text()));
  page.on('console', listen);
  return loggedWarnings;
}

test('[8.18] if the code for third-party services fails to load, the console has a warning and the page is complete', async ({
  browser,
}) => {
  const page = await pageOf(browser, world, await registeredPerson(world));
  const loggedWarnings = warnings(page);
  const blockedUrls = await blockScript(page, 'porchlight_consent');
  await page.goto(world.dashboardUrl);
  await expect.poll(() => loggedWarnings.filter((text) => text.startsWith('A part did not load.'))).toHaveLength(1);
  expect(blockedUrls.size).toBe(1);
  await expect(page.getByRole('heading', { name: /^Good / })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await expect(page.getByRole('contentinfo')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('[8.16] if the code for offers fails to load, the console has a warning and registering works', async ({ page }) => {
  const loggedWarnings = warnings(page);
  const blockedUrls = await blockScript(page, 'The offer could not be looked up');
  await page.goto(`${world.dashboardUrl}/register/WELCOME`);
  await expect.poll(() => loggedWarnings.filter((text) => text.startsWith('A part did not load.'))).toHaveLength(1);
  expect(blockedUrls.size).toBe(1);
  await expect(page.getByLabel('Email')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});
