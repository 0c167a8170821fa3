import { expect } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { pageOf } from './lib/accounts.ts';
import { inviteGuardian } from './lib/guardians.ts';
import { sayYes } from './lib/incidents.ts';
import { linkedDevice } from './lib/people.ts';
import { withAnn } from './lib/setup.ts';
import { test } from './lib/test.ts';

let signedIn: Parameters<Parameters<typeof withAnn>[0]>[0];
withAnn((one) => {
  signedIn = one;
});

test('[P10.1] [P10.6] switching May cut the internet there off waits for a yes and stays on until then; switching it on passes at once', async ({
  browser,
}) => {
  const { world, ann, page } = signedIn;
  const { token } = ann;
  await linkedDevice(world, ann);
  const bobsPage = await pageOf(browser, world, null);
  await inviteGuardian(bobsPage, world, ann, 'Bob', 'bob@example.org');
  await call(world.url, 'PATCH /web/holding', { token, body: { ask_first: true } });
  const stored = async () => (await call(world.url, 'GET /web/guardians', { token })).guardians[0]?.may_isolate;

  await page.goto(`${world.dashboardUrl}/profile/guardians`);
  const may = page.getByRole('switch', { name: 'May cut the internet there' });
  const waiting = page.getByRole('dialog', { name: 'We asked Bob' });
  await may.click();
  await expect(page.getByText('Bob may cut the internet there now.')).toBeVisible();
  await expect(may).toBeChecked();
  await expect(waiting).toHaveCount(0);

  await may.click();
  await expect(waiting).toContainText('Nothing has changed yet.');
  expect(await stored()).toBe(true);
  await page.keyboard.press('Escape');
  await expect(waiting).toBeHidden();
  await expect(may).toBeChecked();

  await may.click();
  await expect(waiting).toBeVisible();
  await sayYes(bobsPage, /stop letting Bob cut the internet/);
  await expect(waiting).toBeHidden();
  await expect(page.getByText('Bob may not cut the internet now.')).toBeVisible();
  await expect(may).not.toBeChecked();
  expect(await stored()).toBe(false);
});
