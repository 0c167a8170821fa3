import { expect } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { checkScreen } from './lib/accessibility.ts';
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

test('[P10.1] another order of the guardians is saved with one press; where the account asks first, it waits for a yes', async ({
  browser,
}) => {
  const { world, ann, page } = signedIn;
  const { token } = ann;
  await linkedDevice(world, ann);
  const bobsPage = await pageOf(browser, world, null);
  await inviteGuardian(bobsPage, world, ann, 'Bob', 'bob@example.org');
  await inviteGuardian(await pageOf(browser, world, null), world, ann, 'Carol', 'carol@example.org');
  const stored = async () => (await call(world.url, 'GET /web/guardians', { token })).guardians.map(({ name }) => name);
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  await page.goto(`${world.dashboardUrl}/profile/guardians`);
  await button('Move up: Carol').click();
  await expect(page.getByRole('status').filter({ hasText: 'Carol is called first now.' })).toBeVisible();
  await expect(button('Move down: Carol')).toBeFocused();
  expect(await stored()).toEqual(['Carol', 'Bob']);
  await page.reload();
  await expect(page.getByText(/^Called (first|second)$/)).toHaveText(['Called first', 'Called second']);
  await expect(page.getByRole('listitem').first()).toContainText('Carol');

  await call(world.url, 'PATCH /web/holding', { token, body: { ask_first: true } });
  await button('Move up: Bob').click();
  const waiting = page.getByRole('dialog', { name: 'We asked Carol and Bob' });
  await expect(waiting).toContainText('Nothing has changed yet.');
  expect(await stored()).toEqual(['Carol', 'Bob']);
  await sayYes(bobsPage, /have Bob called first/);
  await expect(waiting).toBeHidden();
  await expect(page.getByRole('status').filter({ hasText: 'Bob is called first now.' })).toBeVisible();
  expect(await stored()).toEqual(['Bob', 'Carol']);
});

test('[P11.1] someone else’s computer that is added offers to call its user, and so do its settings; adding goes on without it', async () => {
  const { world, ann, page } = signedIn;
  await page.goto(`${world.dashboardUrl}/add-device`);
  await page.getByRole('button', { name: 'Another device' }).click();
  await page.getByLabel('Device name').fill('Laptop');
  await page.getByRole('radio', { name: /^Someone else/ }).check();
  await page.getByLabel('Their name (optional)').fill('Mum');
  await page.getByLabel('Their phone number (optional)').fill('+1 202 555 0143');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'If nobody answers, may we call Mum?' })).toBeVisible();
  await expect(page.locator('.code')).toBeVisible();
  await checkScreen(page);
  const [device] = (await call(world.url, 'GET /web/devices', { token: ann.token })).devices;
  await page.goto(`${world.dashboardUrl}/devices/${device?.uuid}`);
  await page.getByRole('button', { name: 'Call Mum now to ask' }).click();
  await expect(page.getByText('Calling Mum at +1 202 555 0143. Press 1 there to say yes.')).toBeVisible();
});
