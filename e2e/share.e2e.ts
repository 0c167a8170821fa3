// Tier: fast. The journey of section P3, codes and links.
import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { anyDevice } from './lib/device-info.ts';
import { registeredPerson } from './lib/people.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
let ann: Person;
let turn = 0;
withWorld(
  (startedWorld) => {
    world = startedWorld;
  },
  { env: { TRUST_PROXY: 'on' } },
);
test.beforeAll(async () => {
  ann = await registeredPerson(world, 'Ann Example');
});
// Each test has its own client address because of the rate limits.
test.beforeEach(async ({ page }) => {
  turn += 1;
  await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': `198.18.3.${turn}` });
});

const create = async (name = 'Mum’s laptop') => {
  const { devices } = await call(world.url, 'GET /web/devices', { token: ann.token });
  for (const { uuid } of devices) await call(world.url, 'DELETE /web/devices/:uuid', { token: ann.token, params: { uuid } });
  return call(world.url, 'POST /web/create-device', { token: ann.token, body: { name, policy: null } });
};
const open = (page: Page, code: string) => page.goto(`${world.dashboardUrl}/share/${code}`);

test('[P3.5] without a login the share page shows the device, the sender, the code in large groups, link and QR code, and three steps', async ({
  page,
}) => {
  const { login_code } = await create();
  await open(page, login_code);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ann wants to protect this computer');
  await expect(page.getByText(/^It is called Mum’s laptop on the dashboard\./)).toBeVisible();
  const code = page.locator('.code');
  await expect(code).toHaveText(login_code);
  expect(login_code).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  expect(await code.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))).toBeGreaterThan(27);
  await expect(page.getByRole('list').getByRole('listitem')).toHaveCount(3);
  const link = `${world.dashboardUrl}/share/${login_code}`;
  await expect(page.getByText(link, { exact: true })).toBeVisible();
  const qr = page.getByRole('img', { name: 'QR code of this page' });
  await expect(qr.locator('path')).toHaveAttribute('d', toSvgPath(generate(link)));
  await expect(page.getByText('Ann Example')).toHaveCount(0);
  await expect(page.getByText('Did a stranger on the phone send you here? Hang up. We never ask you for anything.')).toBeVisible();
  await checkScreen(page);
  await checkScreenZoomed(page);

  await page.emulateMedia({ media: 'print' });
  await expect(code).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);
});

test('[9.6] copying the code or the link shows a confirmation for three seconds, on the share page and at the send step', async ({
  page,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.clock.install();
  const expectCopied = async (buttonName: string, text: string) => {
    const button = page.getByRole('button', { name: buttonName, exact: true });
    await expect(button).toBeVisible();
    await page.clock.pauseAt(new Date((await page.evaluate(() => Date.now())) + 60_000));
    const copied = page.getByRole('button', { name: 'Copied!', exact: true });
    await button.click();
    await expect(copied).toHaveCount(1);
    await expect(copied.locator('[aria-live="polite"]')).toHaveText('Copied!');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
    await page.clock.runFor(2_999);
    await expect(copied).toBeVisible();
    await page.clock.runFor(1);
    await expect(copied).toHaveCount(0);
    await page.clock.resume();
  };
  const { login_code } = await create();
  const link = `${world.dashboardUrl}/share/${login_code}`;
  await open(page, login_code);
  await expectCopied('Copy code', login_code);
  await expectCopied('Copy link', link);

  await page.evaluate(
    ([token, email]) => {
      localStorage.setItem('porchlight_token', token ?? '');
      localStorage.setItem('porchlight_person', email ?? '');
    },
    [ann.token, ann.email],
  );
  await page.goto(`${world.dashboardUrl}/add-device`);
  await page.getByRole('button', { name: 'Another device' }).click();
  await page.getByLabel('Device name').fill('Dad’s PC');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.locator('.code')).toBeVisible();
  const code = (await page.locator('.code').textContent()) ?? '';
  await expectCopied('Copy Share Link', `${world.dashboardUrl}/share/${code}`);
  await expectCopied('Copy message', `To protect Dad’s PC, open ${world.dashboardUrl}/share/${code} on it. The code is ${code}.`);
});

test('[P3.5] the code in the address may have any format, and is shown in groups', async ({ page }) => {
  const { login_code } = await create();
  for (const typedCode of [login_code.toLowerCase(), login_code.replace('-', ''), encodeURIComponent(login_code.replace('-', ' '))]) {
    await open(page, typedCode);
    await expect(page.locator('.code')).toHaveText(login_code);
  }
});

const deadCodes = [
  ['used', 'This code has already been used', /^The device is connected, or someone else used the code\./],
  ['unknown', 'We do not know this code', 'Check each letter and number, or ask for the link again.'],
  ['too long', 'We do not know this code', 'Check each letter and number, or ask for the link again.'],
  ['empty', 'We do not know this code', 'Check each letter and number, or ask for the link again.'],
] as const;
for (const [codeState, heading, introduction] of deadCodes) {
  test(`[P3.5] for a code that is ${codeState} the share page explains that, and whom to ask`, async ({ page }) => {
    const { login_code } = await create();
    if (codeState === 'used')
      await call(world.url, 'POST /agent/enrol', { body: { code: login_code, info: anyDevice, enrol_id: randomUUID() } });
    const code = { used: login_code, unknown: 'ABCD-EFGH', 'too long': 'A'.repeat(41), empty: '' }[codeState];
    await open(page, code);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expect(page.getByText(introduction)).toBeVisible();
    await expect(page.locator('.code')).toHaveCount(0);
    await expect(page.getByRole('contentinfo')).toContainText('Customer support');
    await checkScreen(page);
  });
}

test('a share link can be retried after a failed request', async ({ page }) => {
  const { login_code } = await create();
  await page.route('**/api/code', (route) => route.abort(), { times: 1 });
  await open(page, login_code);
  await expect(page.getByRole('alert')).toContainText('Failed to connect to API.');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.locator('.code')).toHaveText(login_code);
});
