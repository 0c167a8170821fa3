import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from './lib/accessibility.ts';
import { pageOf, reportAlert } from './lib/accounts.ts';
import { sayYes } from './lib/incidents.ts';
import { routeLoopback } from './lib/loopback-routes.ts';
import { linkedDevice, registeredPerson } from './lib/people.ts';
import { linkIn, mailTo } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
let ann: Person;
let page: Page;
withWorld((startedWorld) => {
  world = startedWorld;
});
test.beforeEach(async ({ browser }) => {
  ann = await registeredPerson(world);
  page = await pageOf(browser, world, ann);
  await routeLoopback(page);
});

const group = () => page.getByRole('group', { name: 'Who uses this computer?' });
const answer = (name: 'Me' | 'Someone else') => group().getByRole('radio', { name: new RegExp(`^${name}`) });
const theirName = () => page.getByLabel('Their name (optional)');
const theirPhone = () => page.getByLabel('Their phone number (optional)');
const button = (name: string) => page.getByRole('button', { name, exact: true });
const code = () => page.locator('.code');
const logOut = () => page.getByRole('checkbox', { name: /^Log out here/ });
const devices = async () => (await call(world.url, 'GET /web/devices', { token: ann.token })).devices;
const add = async (machine: 'This device' | 'Another device') => {
  await page.goto(`${world.dashboardUrl}/add-device`);
  await page.getByRole('button', { name: machine }).click();
  await page.getByLabel('Device name').fill('Den PC');
};
const mum = { name: 'Mum', phone_number: '+12025550143', is_holder: false };

test('[P8.1] no user is preselected; without an answer the device is added without a named user', async () => {
  await add('This device');
  await expect(answer('Me')).not.toBeChecked();
  await expect(answer('Someone else')).not.toBeChecked();
  await expect(theirName()).toHaveCount(0);
  await checkScreen(page);
  await button('Continue').click();
  await expect(code()).toBeVisible();
  expect(await devices()).toMatchObject([{ person: null }]);
  await expect(logOut()).toHaveCount(0);
});

test('[P8.1] setting up someone else’s computer on it stores their name and number, and ends with a preselected log-out', async () => {
  await add('This device');
  await answer('Someone else').check();
  await theirName().fill('Mum');
  await theirPhone().fill('+1 202 555 0143');
  await checkScreen(page);
  await button('Continue').click();
  await expect(code()).toBeVisible();
  expect(await devices()).toMatchObject([{ person: mum }]);
  await expect(logOut()).toBeChecked();
  await checkScreen(page);

  await page.goBack();
  await expect(theirName()).toHaveValue('Mum');
  await theirName().fill('Mother');
  await button('Continue').click();
  await expect(page.getByRole('link', { name: 'Continue to dashboard' })).toBeVisible();
  await expect.poll(devices).toMatchObject([{ person: { ...mum, name: 'Mother' } }]);

  await button('Finish').click();
  await expect(page).toHaveURL(`${world.dashboardUrl}/login`);
  await expect.poll(() => call(world.url, 'GET /web/devices', { token: ann.token }).catch((err: unknown) => String(err))).toContain('401');
});

test('[P8.1] without the log-out checkbox the login stays; an invalid number shows an error beside its field, and no device is created', async () => {
  await add('This device');
  await answer('Someone else').check();
  await theirPhone().fill('12');
  await theirPhone().blur();
  await button('Continue').click();
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(theirPhone()).toHaveAttribute('aria-invalid', 'true');
  expect(await devices()).toEqual([]);
  await theirPhone().fill('');
  await button('Continue').click();
  await expect(code()).toBeVisible();
  await logOut().uncheck();
  await button('Finish').click();
  await expect(page).toHaveURL(world.dashboardUrl);
  await expect(page.getByText('Den PC', { exact: true })).toBeVisible();
  expect(await devices()).toMatchObject([{ person: { name: '', phone_number: '', is_holder: false } }]);
});

test('[P8.1] setting up one’s own computer, or another one remotely, ends without a log-out', async () => {
  for (const [machine, userChoice] of [
    ['This device', 'Me'],
    ['Another device', 'Someone else'],
  ] as const) {
    await add(machine);
    await answer(userChoice).check();
    await button('Continue').click();
    await expect(code()).toBeVisible();
    await expect(logOut()).toHaveCount(0);
  }
  expect((await devices()).map(({ person }) => person?.is_holder)).toEqual([true, false]);
});

test('[P8.1] a user’s name that the server refuses can be corrected', async () => {
  await add('Another device');
  await answer('Someone else').check();
  await theirName().fill('call 202 555 0143');
  await button('Continue').click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByRole('link', { name: 'Change what you entered' }).click();
  await expect(theirName()).toHaveValue('call 202 555 0143');
  await theirName().fill('Mum');
  await button('Continue').click();
  await expect(code()).toBeVisible();
  expect(await devices()).toMatchObject([{ person: { name: 'Mum' } }]);
});

test('[P8.1] [P10.4] the settings show and change the user, which notifies people; renaming the computer does not change the user', async () => {
  const { uuid } = await linkedDevice(world, ann, 'Den PC');
  await page.goto(`${world.dashboardUrl}/devices/${uuid}`);
  await expect(answer('Me')).not.toBeChecked();
  await answer('Someone else').check();
  await theirName().fill('www.bank.com');
  await button('Save').click();
  await expect(theirName()).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Device name')).not.toHaveAttribute('aria-invalid', 'true');
  await theirName().fill('Mum');
  await button('Save').click();
  await expect(page.getByText('Device updated successfully')).toBeVisible();
  await mailTo(world, ann.email, /^You changed who uses Den PC to Mum$/);
  await checkScreen(page);
  await page.reload();
  await expect(answer('Someone else')).toBeChecked();
  await expect(theirName()).toHaveValue('Mum');
  await page.getByLabel('Device name').fill('Kitchen PC');
  await button('Save').click();
  await expect(page.getByText('Device updated successfully')).toBeVisible();
  expect(await devices()).toMatchObject([{ name: 'Kitchen PC', person: { ...mum, phone_number: '' } }]);
});

test('[P8.2] a guardian’s first advice is a button that calls the computer’s user; without a number it is a sentence', async ({
  browser,
}) => {
  const bob = await pageOf(browser, world, null);
  const email = `bob-${ann.email}`;
  await call(world.url, 'POST /web/create-guardian', { token: ann.token, body: { name: 'Bob', email } });
  await bob.goto(linkIn(await mailTo(world, email, /guardian/)));
  await bob.getByRole('button', { name: 'I will look out' }).click();
  await expect(bob.getByText('You look out for Ann', { exact: true })).toBeVisible();
  const device = await linkedDevice(world, ann, 'Den PC');
  const unchanged = { name: 'Den PC', policy: 'strict' } as const;
  const changePerson = (person: typeof mum) =>
    call(world.url, 'POST /web/devices/:uuid', { token: ann.token, params: { uuid: device.uuid }, body: { ...unchanged, person } });
  /** In an incident the change waits for Bob's yes. */
  const changePersonInIncident = async (person: typeof mum) => {
    await expect(changePerson(person)).rejects.toMatchObject({ code: 'held' });
    await sayYes(bob, /Den PC/);
    await changePerson(person);
  };
  await changePerson(mum);
  await reportAlert(world, device);
  await bob.reload();
  await expect(bob.getByRole('link', { name: 'Call Mum' })).toHaveAttribute('href', 'tel:+12025550143');
  await expect(bob.getByText('Call Mum now, on the number you know.')).toHaveCount(0);
  await checkScreen(bob);
  await changePersonInIncident({ ...mum, phone_number: '' });
  await bob.reload();
  await expect(bob.getByText('Call Mum now, on the number you know.')).toBeVisible();
  await expect(bob.getByRole('link', { name: 'Call Mum' })).toHaveCount(0);
  await changePersonInIncident({ ...mum, is_holder: true });
  await bob.reload();
  await expect(bob.getByText('Call Ann now, on the number you know.')).toBeVisible();
  await bob.context().close();
});
