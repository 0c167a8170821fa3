import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf } from './lib/accounts.ts';
import { registeredPerson } from './lib/people.ts';
import { addDevice, logIn } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
let ann: Person;
/** A single Ben for all tests, because of the login rate limit. */
let ben: Person;
let page: Page;
withWorld((startedWorld) => {
  world = startedWorld;
});
test.beforeAll(async () => {
  ben = await registeredPerson(world);
});
test.beforeEach(async ({ browser }) => {
  ann = await registeredPerson(world);
  page = await pageOf(browser, world, ann);
  await page.goto(world.dashboardUrl);
});

const urlOf = (step: string) => `${world.dashboardUrl}/add-device?step=${step}`;
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
const pageContents = () => page.evaluate(() => JSON.stringify([sessionStorage, localStorage, document.documentElement.outerHTML]));
/** Holds requests back; `reached` counts those that the server has processed. */
const holdCreation = async () => {
  let release = () => {};
  const releasePromise = new Promise<void>((resolve) => {
    release = resolve;
  });
  const pendingCreation = { reached: 0, code: '', release: () => release() };
  await page.route('**/api/web/create-device', async (route) => {
    const response = await route.fetch();
    pendingCreation.code = (await response.json()).login_code;
    pendingCreation.reached++;
    await releasePromise;
    await route.fulfill({ response }).catch(() => {});
  });
  return pendingCreation;
};

test('after a log-out during set-up the next user who presses Back sees no device code', async () => {
  const firstCode = await addDevice(page, 'Another device', 'Nan’s computer');
  await expect(page).toHaveURL(urlOf('send'));
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await pageContents()).not.toContain(firstCode);
  await logIn(page, ben);
  await expect(page.getByRole('heading', { name: /^Good / })).toBeVisible();
  await page.goBack();
  await page.goto(urlOf('send'));
  await expect(page).toHaveURL(urlOf('policy'));
  await expect(name()).toHaveValue('');
  expect(await pageContents()).not.toContain(firstCode);
  expect(await pageContents()).not.toContain('Nan’s computer');
});

test('after an expired login another user sees nothing of the set-up, and the same user continues it', async () => {
  const firstCode = await addDevice(page, 'Another device', 'Nan’s computer');
  const logInAs = async (person: Person) => {
    // The page that waits for the device polls it, and would do so with the token of the next user.
    await page.goto(`${world.dashboardUrl}/what-we-recognise`);
    await page.evaluate(
      ([token, email]) => {
        localStorage.setItem('porchlight_token', token ?? '');
        localStorage.setItem('porchlight_person', email ?? '');
      },
      [person.token, person.email],
    );
    await page.goto(urlOf('send'));
  };
  await logInAs(ben);
  await expect(page).toHaveURL(urlOf('policy'));
  await expect(page.getByText(firstCode)).toHaveCount(0);
  await logInAs(ann);
  await expect(code()).toHaveText(firstCode);
});

test('an answer to create-device that arrives after the log-out is discarded', async () => {
  const pendingCreation = await holdCreation();
  await toSend('Nan’s computer');
  await expect.poll(() => pendingCreation.reached).toBe(1);
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await logIn(page, ben);
  await expect(page.getByRole('heading', { name: /^Good / })).toBeVisible();
  const responsePromise = page.waitForResponse('**/api/web/create-device');
  pendingCreation.release();
  await (await responsePromise).finished();
  // The page handles the answer before it is idle.
  await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)));
  expect(pendingCreation.code).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  expect(await pageContents()).not.toContain(pendingCreation.code);
});

test('a device that was removed elsewhere loses its code on the send step, and is not created again automatically', async () => {
  const firstCode = await addDevice(page, 'Another device', 'Nan’s computer');
  await call(world.url, 'DELETE /web/devices/:uuid', { token: ann.token, params: { uuid: (await devices())[0]?.uuid ?? '' } });
  await expect(page).toHaveURL(urlOf('policy'));
  await expect(name()).toHaveValue('Nan’s computer');
  expect(await pageContents()).not.toContain(firstCode);
  expect(await devices()).toEqual([]);
  await button('Continue').click();
  await expect(code()).toHaveText(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  await expect(code()).not.toHaveText(firstCode);
  expect(await devices()).toHaveLength(1);
});

test('going back and on again during the request creates one device, with the last typed name', async () => {
  const pendingCreation = await holdCreation();
  await toSend('Nan’s computor');
  await expect.poll(() => pendingCreation.reached).toBe(1);
  await page.goBack();
  await name().fill('Nan’s computer');
  await button('Continue').click();
  await expect.poll(() => pendingCreation.reached).toBe(2);
  pendingCreation.release();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Protect Nan’s computer');
  await expect(code()).toBeVisible();
  expect(await devices()).toMatchObject([{ name: 'Nan’s computer', login_code: await code().textContent() }]);
});

test('after a lost answer Try again creates only one device', async () => {
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
