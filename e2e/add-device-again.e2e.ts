import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { type Person, registeredPerson } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf } from './lib/accounts.ts';
import { addDevice, logIn } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** What is left of adding a device: for the next person in the tab nothing, and for the same person one device. */

let world: World;
let ann: Person;
/** Whoever comes next in the tab; one for all tests, since an address may log in only so often in a minute. */
let ben: Person;
let page: Page;
withWorld((its) => {
  world = its;
});
test.beforeAll(async () => {
  ben = await registeredPerson(world);
});
test.beforeEach(async ({ browser }) => {
  ann = await registeredPerson(world);
  page = await pageOf(browser, world, ann);
  await page.goto(world.dashboardUrl);
});

const at = (step: string) => `${world.dashboardUrl}/add-device?step=${step}`;
const name = () => page.getByLabel('Device name');
const code = () => page.locator('.code');
const button = (label: string) => page.getByRole('button', { name: label, exact: true });
const devices = async () => (await call(world.url, 'GET /web/devices', { token: ann.token })).devices;
const toSend = async (device: string) => {
  await page.getByRole('link', { name: 'Add Device' }).click();
  await page.getByRole('button', { name: 'Another device' }).click();
  await name().fill(device);
  await button('Continue').click();
};
const all = () => page.evaluate(() => JSON.stringify([sessionStorage, localStorage, document.documentElement.outerHTML]));
/** The next answers to create-device are held until they are let go; `reached` tells how many the server has worked off. */
const hold = async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const seen = { reached: 0, code: '', release: () => release() };
  await page.route('**/api/web/create-device', async (route) => {
    const response = await route.fetch();
    seen.code = (await response.json()).login_code;
    seen.reached++;
    await held;
    await route.fulfill({ response }).catch(() => {});
  });
  return seen;
};

test('who logs out leaves no code behind: the next person in the tab who goes back sees nothing of it', async () => {
  const theirs = await addDevice(page, 'Another device', 'Nan’s computer');
  await expect(page).toHaveURL(at('send'));
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await all()).not.toContain(theirs);
  await logIn(page, ben);
  await expect(page.getByRole('heading', { name: /^Good / })).toBeVisible();
  await page.goBack();
  await page.goto(at('send'));
  await expect(page).toHaveURL(at('policy'));
  await expect(name()).toHaveValue('');
  expect(await all()).not.toContain(theirs);
  expect(await all()).not.toContain('Nan’s computer');
});

test('someone else whose login follows an expired one sees nothing of it; the same person goes on where they were', async () => {
  const theirs = await addDevice(page, 'Another device', 'Nan’s computer');
  const becomes = async (who: Person) => {
    await page.evaluate(
      ([token, email]) => {
        localStorage.setItem('porchlight_token', token ?? '');
        localStorage.setItem('porchlight_person', email ?? '');
      },
      [who.token, who.email],
    );
    await page.goto(at('send'));
  };
  await becomes(ben);
  await expect(page).toHaveURL(at('policy'));
  await expect(page.getByText(theirs)).toHaveCount(0);
  await becomes(ann);
  await expect(code()).toHaveText(theirs);
});

test('an answer that comes after the log-out is kept for nobody', async () => {
  const late = await hold();
  await toSend('Nan’s computer');
  await expect.poll(() => late.reached).toBe(1);
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await logIn(page, ben);
  await expect(page.getByRole('heading', { name: /^Good / })).toBeVisible();
  const answered = page.waitForResponse('**/api/web/create-device');
  late.release();
  await (await answered).finished();
  expect(late.code).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  expect(await all()).not.toContain(late.code);
});

test('a device that was removed elsewhere has no code on this page any more, and is not made again by itself', async () => {
  const theirs = await addDevice(page, 'Another device', 'Nan’s computer');
  await call(world.url, 'DELETE /web/devices/:uuid', { token: ann.token, params: { uuid: (await devices())[0]?.uuid ?? '' } });
  await expect(page).toHaveURL(at('policy'));
  await expect(name()).toHaveValue('Nan’s computer');
  expect(await all()).not.toContain(theirs);
  expect(await devices()).toEqual([]);
  await button('Continue').click();
  await expect(code()).toHaveText(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  await expect(code()).not.toHaveText(theirs);
  expect(await devices()).toHaveLength(1);
});

test('back and on again while the device is being made makes one device, under the name that was given last', async () => {
  const late = await hold();
  await toSend('Nan’s computor');
  await expect.poll(() => late.reached).toBe(1);
  await page.goBack();
  await name().fill('Nan’s computer');
  await button('Continue').click();
  await expect.poll(() => late.reached).toBe(2);
  late.release();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Protect Nan’s computer');
  await expect(code()).toBeVisible();
  expect(await devices()).toMatchObject([{ name: 'Nan’s computer', login_code: await code().textContent() }]);
});

test('an answer that was lost, and Try again: one device', async () => {
  await page.route(
    '**/api/web/create-device',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await toSend('Nan’s computer');
  await button('Try again').click();
  await expect(code()).toBeVisible();
  expect(await devices()).toMatchObject([{ login_code: await code().textContent() }]);
});
