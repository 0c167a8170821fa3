import { expect, type Page, type Route } from '@playwright/test';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { pageOf, reportAlert } from './lib/accounts.ts';
import { linkedDevice, registeredPerson } from './lib/people.ts';
import { addGuardian, linkIn, mailTo } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** The tests build on each other. */
test.describe.configure({ mode: 'serial' });

const bobEmail = 'bob@example.org';
const rightCode = '123456';
let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});
let ann: Person;
let page: Page;
let bobUrl: string;

const reach = () => page.getByRole('region', { name: 'How we reach you' });
const proof = () => page.getByRole('dialog', { name: 'Show that it’s you' });
const status = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text });
/** As in a browser that an agent has answered. */
const besideComputer = () => page.context().addCookies([{ name: 'near_agent', value: '1', url: world.url }]);
/** The settings are collapsed after an alert. */
async function openSettings() {
  await page.goto(bobUrl);
  await page.getByRole('heading', { name: 'Your settings' }).click();
  await expect(reach()).toBeVisible();
}

test.beforeAll(async ({ browser }) => {
  ann = await registeredPerson(world);
  const device = await linkedDevice(world, ann);
  const annPage = await pageOf(browser, world, ann);
  page = await pageOf(browser, world, null);
  await addGuardian(annPage, world, 'Bob', bobEmail);
  await page.goto(linkIn(await mailTo(world, bobEmail, /guardian/)));
  await page.getByRole('button', { name: 'I will look out' }).click();
  await expect(page.getByText('You look out for Ann', { exact: true })).toBeVisible();
  bobUrl = page.url();
  await reportAlert(world, device);
});

test('[P10.2] beside a computer of an open incident a guardian without a proven number reads why and what to do, and nothing changes', async () => {
  await besideComputer();
  await openSettings();
  await reach().getByRole('button', { name: 'Turn emails off' }).click();
  const ways = status(/Add your phone number in your settings.*Or answer over mobile data/);
  await expect(ways).toBeVisible();
  await expect(reach().getByRole('button', { name: 'Turn emails off' })).toBeVisible();
  await page.getByRole('button', { name: 'Stop being a guardian' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop being a guardian' }).click();
  await expect(ways).toHaveCount(2);
  await expect(proof()).toHaveCount(0);
  await checkScreen(page);
});

/** Answers like the server beside a computer, as its tests show, since there a code is sent once a minute. The rest reaches the server. */
async function withProvenPhone(): Promise<{ sent: () => number }> {
  await page.context().clearCookies({ name: 'near_agent' });
  let sent = 0;
  await page.route('**/api/guardian/*/answer-code', (route) => {
    sent += 1;
    return route.fulfill({ json: {} });
  });
  const refuse = (route: Route, status: number, code: string, error: string) =>
    route.fulfill({ status, json: { code, error, request_id: 'x' } });
  const proven = (route: Route) => {
    if (!['POST', 'PATCH'].includes(route.request().method())) return route.fallback();
    const { code } = (route.request().postDataJSON() ?? {}) as { code?: string };
    if (code === undefined) return refuse(route, 403, 'code_needed', 'You are at a computer of this account.');
    return code === rightCode ? route.fallback() : refuse(route, 400, 'phone_code_wrong', 'That is not the code we sent.');
  };
  await page.route('**/api/guardian/*/leave', proven);
  await page.route(/\/api\/guardian\/[\w-]+$/, proven);
  return { sent: () => sent };
}

test('[P10.2] with a proven number switching off asks for a code; Cancel changes nothing, and an error about it is beside the field', async () => {
  const { sent } = await withProvenPhone();
  const off = reach().getByRole('button', { name: 'Turn emails off' });
  await off.click();
  await expect(proof()).toContainText('You are at a computer of this account.');
  await expect(proof().getByLabel('The six digits')).toBeFocused();
  await expect(proof()).toContainText('We texted six digits to your phone.');
  expect(sent()).toBe(1);
  await checkScreen(page);
  await checkScreenZoomed(page);
  await proof().getByRole('button', { name: 'Cancel' }).click();
  await expect(proof()).toHaveCount(0);
  await expect(off).toBeFocused();
  await expect(status('Emails are off now.')).toHaveCount(0);

  await off.click();
  await expect(proof().getByLabel('The six digits')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(proof().getByLabel('The six digits')).toHaveAccessibleDescription('The code has 6 digits. Enter all of them.');
  await proof().getByLabel('The six digits').fill('654321');
  await page.keyboard.press('Enter');
  await expect(proof().getByLabel('The six digits')).toHaveAccessibleDescription('That is not the code we sent.');
  await proof().getByLabel('The six digits').fill(rightCode);
  await page.keyboard.press('Enter');
  await expect(status('Emails are off now.')).toBeVisible();
  await expect(proof()).toHaveCount(0);
  await expect(reach().getByRole('button', { name: 'Turn emails on' })).toBeFocused();
});

test('[P10.2] leaving asks for a code too; Escape keeps the guardian, and the code ends it', async () => {
  await page.getByRole('button', { name: 'Stop being a guardian' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop being a guardian' }).click();
  await expect(proof()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(proof()).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Stop being a guardian' })).toBeFocused();

  await page.getByRole('button', { name: 'Stop being a guardian' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop being a guardian' }).click();
  await proof().getByLabel('The six digits').fill(rightCode);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are no longer a guardian');
});
