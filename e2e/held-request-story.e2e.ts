// Its own server: its agent sees a desktop of the test.

import { type BrowserContext, expect, type Page } from '@playwright/test';
import { hour } from '@porchlight/contract/time.ts';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf } from './lib/accounts.ts';
import { addButton, field, hits, rows } from './lib/allow-list.ts';
import { countPresses } from './lib/count-presses.ts';
import { fakeDesktop } from './lib/fake-desktop.ts';
import { hasEnded, type Threats, threats } from './lib/fake-threats.ts';
import { acceptInvitation, answerRequest } from './lib/guardians.ts';
import { linkedDevice, registeredPerson } from './lib/people.ts';
import { addDevice, addGuardian, mailTo, password, registerAndConfirm } from './lib/screens.ts';
import { test } from './lib/test.ts';
import { startTestWorld } from './lib/worlds.ts';

/** The gate as a user meets it: a real server and agent, the holder's browser, and a guardian's mailbox. The tests build on each other. */
test.describe.configure({ mode: 'serial' });

const [annEmail, bobEmail, danEmail] = ['ann@example.org', 'bob@example.org', 'dan@example.org'];
const [firstNumber, otherNumber] = ['+12025550143', '+12025550178'];
let world: World;
let programs: Threats;
let carol: Person;
let carolDevice: string;
let carolPage: Page;
let annPage: Page;
let bobContext: BrowserContext;
let annToken: string;
let device: string;

test.beforeAll(async ({ browser }) => {
  world = await startTestWorld({ agent: true, env: (await fakeDesktop()).env });
  programs = await threats(['AnyDesk', 'TeamViewer']);
  carol = await registeredPerson(world, 'Carol Example');
  carolDevice = (await linkedDevice(world, carol, 'Carol PC')).uuid;
  carolPage = await pageOf(browser, world, carol);
  annPage = await (await browser.newContext()).newPage();
  bobContext = await browser.newContext();
});
test.afterAll(async () => {
  await programs?.close();
  await world?.close();
});

async function allow(page: Page, deviceId: string, program: string): Promise<void> {
  await page.goto(`${world.dashboardUrl}/devices/${deviceId}/allowlist`);
  await addButton(page).click();
  await field(page).fill(program);
  await hits(page).filter({ hasText: program }).click();
  await page.getByRole('button', { name: `Allow ${program}` }).click();
}

async function chooseProfile(page: Page, deviceId: string, profile: string): Promise<void> {
  await page.goto(`${world.dashboardUrl}/devices/${deviceId}`);
  await page.getByText(profile, { exact: true }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
}

const allowedOn = async (token: string, id: string) =>
  (await call(world.url, 'GET /web/devices/:id/v2/exceptions', { token, params: { id } })).items;

const incidentsOf = async (token: string) => (await call(world.url, 'GET /web/incidents', { token, query: {} })).items;
const incident = async () => (await incidentsOf(annToken))[0]?.uuid ?? '';

/** What the calls of this file would weaken. */
async function protection() {
  const token = annToken;
  const { devices } = await call(world.url, 'GET /web/devices', { token });
  const { guardians } = await call(world.url, 'GET /web/guardians', { token });
  return {
    allowed: (await allowedOn(token, device)).map(({ name }) => name),
    devices: devices.map(({ name, policy }) => ({ name, policy })),
    guardians: guardians.map(({ email, state }) => ({ email, state })),
    phone_number: (await call(world.url, 'GET /web/profile', { token })).phone_number,
  };
}
const unchanged = {
  allowed: [],
  devices: [{ name: 'Den PC', policy: 'strict' }],
  guardians: [{ email: bobEmail, state: 'active' }],
  phone_number: firstNumber,
};

const waitingDialog = (page: Page, name: string) => page.getByRole('dialog', { name: `We asked ${name}` });

async function expectWaiting(page: Page, guardian: string): Promise<void> {
  await expect(waitingDialog(page, guardian)).toContainText(`Nothing has changed yet. We do it when ${guardian} says yes.`);
}

/** Bob answers by the link of his email. Returns how many presses that took, with the link's. */
async function answerByMail(request: RegExp, answer: 'yes' | 'no'): Promise<number> {
  const page = await bobContext.newPage();
  const presses = await countPresses(page);
  await answerRequest(page, world, bobEmail, request, answer);
  const count = 1 + presses();
  await page.close();
  return count;
}

test('with nothing going on, allowing a program passes at once, and the guardian has the email about it in seconds', async ({
  browser,
}) => {
  await addGuardian(carolPage, world, 'Dan', danEmail);
  await acceptInvitation(await pageOf(browser, world, null), world, danEmail);
  await allow(carolPage, carolDevice, 'TeamViewer');
  await expect(carolPage.getByRole('dialog')).toHaveCount(0);
  const [entry] = await allowedOn(carol.token, carolDevice);
  expect(entry?.name).toBe('TeamViewer');
  const mail = await mailTo(world, danEmail, /Carol allowed TeamViewer on Carol PC/);
  // Both times are of the server's own process, so that waiting for the page does not count. Usually it is a fifth of a second.
  expect(new Date(mail.received).getTime() - new Date(entry?.added ?? 0).getTime()).toBeLessThan(2000);
});

test('[P9.1] [P15.10] the second different weakening change within an hour waits, which its page says before, and opens an incident', async () => {
  expect(await incidentsOf(carol.token)).toEqual([]);
  await carolPage.goto(`${world.dashboardUrl}/devices/${carolDevice}`);
  const before = 'You weakened protection within the last hour. Another change like that waits until Dan says yes.';
  await expect(carolPage.getByText(before, { exact: true })).toBeVisible();
  await chooseProfile(carolPage, carolDevice, 'Permissive');
  await expectWaiting(carolPage, 'Dan');
  await expect(waitingDialog(carolPage, 'Dan')).toContainText('This is the second change within an hour');
  const { devices } = await call(world.url, 'GET /web/devices', { token: carol.token });
  expect(devices.map(({ policy }) => policy)).toEqual(['strict']);
  expect((await incidentsOf(carol.token)).map(({ state, opener }) => [state, opener])).toEqual([['open', 'second_act']]);
});

test('[P9.1] an AnyDesk that Ann’s agent stops opens an incident, in which her pages say before a press that it waits', async () => {
  await registerAndConfirm(annPage, world, 'Ann Example', annEmail);
  annToken = (await annPage.evaluate(() => localStorage.getItem('porchlight_token'))) ?? '';
  await call(world.url, 'PATCH /web/profile', { token: annToken, body: { phone_number: firstNumber, current_password: password } });
  await addDevice(annPage, 'This device', 'Den PC');
  await expect(annPage.getByText('Device connected')).toBeVisible({ timeout: 10_000 });
  device = (await call(world.url, 'GET /web/devices', { token: annToken })).devices[0]?.uuid ?? '';
  await addGuardian(annPage, world, 'Bob', bobEmail);
  await acceptInvitation(await bobContext.newPage(), world, bobEmail);
  expect(await protection()).toEqual(unchanged);

  const anydesk = programs.run('AnyDesk');
  await expect.poll(() => hasEnded(anydesk), { timeout: 5000 }).toBe(true);
  await expect.poll(async () => (await incidentsOf(annToken)).map(({ state, opener }) => [state, opener])).toEqual([['open', 'started']]);
  await annPage.goto(`${world.dashboardUrl}/policies`);
  const before = 'Something is wrong right now. A change that weakens protection waits until Bob says yes.';
  await expect(annPage.getByText(before, { exact: true })).toBeVisible();
  await annPage.goto(world.dashboardUrl);
  await expect(annPage.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(annPage.getByText(before)).toHaveCount(0);
});

test('[P10.1] [P10.2] in the incident, allowing AnyDesk waits; Ann cannot answer herself, Bob’s yes takes two presses from his email, and exactly that call then passes by itself', async () => {
  await allow(annPage, device, 'AnyDesk');
  await expectWaiting(annPage, 'Bob');
  expect(await protection()).toEqual(unchanged);
  await expect(waitingDialog(annPage, 'Bob').getByRole('button')).toHaveText(['I’ll come back later', 'Take it back']);
  const { requests } = await call(world.url, 'GET /web/incidents/:uuid', { token: annToken, params: { uuid: await incident() } });
  expect(requests.map(({ mine }) => mine.may)).toEqual(['no']);
  const ownYes = { token: annToken, params: { uuid: requests[0]?.uuid ?? '' }, body: { answer: 'yes' as const } };
  await expect(call(world.url, 'POST /web/requests/:uuid', ownYes)).rejects.toMatchObject({ code: 'may_not_answer' });
  expect(await answerByMail(/Ann wants to allow AnyDesk on Den PC/, 'yes')).toBe(2);

  await expect(annPage.getByRole('dialog')).toHaveCount(0);
  await expect(annPage.getByRole('status').filter({ hasText: 'Bob said yes.' })).toHaveCount(1);
  await expect(rows(annPage)).toHaveText([/^AnyDesk Program/]);
  expect(await protection()).toEqual({ ...unchanged, allowed: ['AnyDesk'] });
  const [entry] = await allowedOn(annToken, device);
  expect(new Date(entry?.until ?? Number.POSITIVE_INFINITY).getTime()).toBeLessThanOrEqual(new Date(entry?.added ?? 0).getTime() + hour);
  await allow(annPage, device, 'TeamViewer');
  await expectWaiting(annPage, 'Bob');
  expect((await protection()).allowed).toEqual(['AnyDesk']);
});

test('[P10.1] in the incident, a weaker profile waits; Bob’s no by email refuses it, and Ann’s dialog names Bob', async () => {
  await answerByMail(/Ann wants to allow TeamViewer/, 'no');
  const before = await protection();
  await chooseProfile(annPage, device, 'Permissive');
  await expectWaiting(annPage, 'Bob');
  await answerByMail(/Ann wants to put Den PC on Permissive/, 'no');

  const ended = annPage.getByRole('dialog', { name: 'Bob said no' });
  await expect(ended).toContainText('Bob said no. Nothing has changed.');
  await expect(ended).toContainText(/You can ask again after tomorrow at \d+:\d\d [AP]M\./);
  await ended.getByRole('button', { name: 'OK' }).click();
  await expect(annPage.getByRole('alert')).toHaveText('Bob said no. Nothing has changed.');
  expect(await protection()).toEqual(before);
});

const others: { change: string; attempt: () => Promise<void>; subject: RegExp }[] = [
  {
    change: 'removing the computer',
    subject: /Ann wants to remove Den PC from the account/,
    async attempt() {
      await annPage.goto(`${world.dashboardUrl}/devices/${device}/remove-device`);
      await annPage.getByRole('checkbox', { name: 'I understand that this will remove protection' }).check();
      annPage.once('dialog', (question) => void question.accept());
      await annPage.getByRole('button', { name: 'Remove Device', exact: true }).click();
    },
  },
  {
    change: 'removing the guardian',
    subject: /Ann wants to remove Bob as a guardian/,
    async attempt() {
      await annPage.goto(`${world.dashboardUrl}/profile/guardians`);
      await annPage.getByTitle('Remove Bob as a guardian', { exact: true }).click();
      await annPage.getByRole('dialog', { name: 'Remove Guardian?' }).getByRole('button', { name: 'Remove' }).click();
    },
  },
  {
    change: 'another phone number',
    subject: /Ann wants to change the account’s phone number/,
    async attempt() {
      await annPage.goto(`${world.dashboardUrl}/profile`);
      await annPage.getByRole('textbox', { name: 'Phone number' }).fill(otherNumber);
      await annPage.getByRole('button', { name: 'Save Profile' }).click();
      const ask = annPage.getByRole('dialog', { name: 'Confirm with your password' });
      await ask.getByLabel('Password', { exact: true }).fill(password);
      await ask.getByRole('button', { name: 'Confirm' }).click();
    },
  },
];

for (const { change, attempt, subject } of others) {
  test(`[P10.1] in the incident, ${change} waits, Bob has one email about it, and nothing has changed`, async () => {
    const before = await protection();
    await attempt();
    await expectWaiting(annPage, 'Bob');
    await mailTo(world, bobEmail, subject);
    expect(await protection()).toEqual(before);
    await annPage.getByRole('button', { name: 'I’ll come back later' }).click();
    await expect(annPage.getByText('Nothing has changed yet. We do it when Bob says yes. You don’t have to wait here.')).toBeVisible();
    // The same again is the same request, without another email.
    await attempt();
    await expectWaiting(annPage, 'Bob');
    expect(await protection()).toEqual(before);
    expect((await world.mailbox()).filter((mail) => mail.to.includes(bobEmail) && subject.test(mail.subject))).toHaveLength(1);
  });
}

test('[P10.1] while three changes wait, a fourth is refused; after Bob’s no to one, a new guardian waits too', async () => {
  const before = await protection();
  await addGuardian(annPage, world, 'Mallory', 'mallory@example.org');
  await expect(annPage.getByRole('alert')).toHaveText(
    'Three changes already wait for an answer. Wait for that before you make another one.',
  );
  await answerByMail(/Ann wants to remove Den PC/, 'no');
  await addGuardian(annPage, world, 'Mallory', 'mallory@example.org');
  await expectWaiting(annPage, 'Bob');
  expect(await protection()).toEqual(before);
  expect((await world.mailbox()).filter((mail) => mail.to.includes('mallory@example.org'))).toEqual([]);
});

test('[P15.8] “I’ll come back later” is true: Ann’s page is closed, and Bob’s yes by email changes her phone number', async () => {
  const before = await protection();
  await annPage.close();
  await answerByMail(/Ann wants to change the account’s phone number/, 'yes');
  await expect.poll(protection, { timeout: 60_000 }).toEqual({ ...before, phone_number: otherNumber });
  await mailTo(world, annEmail, /Bob said yes: you wanted to change the account’s phone number/);
});
