import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { type Person, registeredPerson } from '@porchlight/dev/people.ts';
import { pageOf } from '../lib/accounts.ts';
import { mailTo } from '../lib/screens.ts';
import {
  bobOf,
  enterPassword,
  expectAsked,
  expectOpen,
  expectUnchanged,
  hour,
  incidentOf,
  notePin,
  pinAlone,
  requestsOf,
  stopAnyDesk,
} from './around-steps.ts';
import { emailsTo, nameSomeoneElse, removeComputer } from './around-weakenings.ts';
import { comeFrom, type Household } from './household.ts';
import { chooseProfile, incidentsOf, startAndExpectEnd } from './steps.ts';
import type { Way } from './way.ts';

/** The caller with the victim’s password, or with an account of his own. */

/** The caller logs in as the victim, at his own desk or at her computer. */
async function logInAsVictim({ town, ann }: Household, place: string | null, password = ann.password): Promise<Page> {
  const { web_token } = await call(town.world.url, 'POST /login/web', { body: { email: ann.email, password } });
  const page = await pageOf(town.browser, town.world, { ...ann, token: web_token });
  if (place) await comeFrom(page.context(), town.world, place);
  await page.goto(town.world.dashboardUrl);
  return page;
}

/** A call of a page’s own session: the code of the error, or `passed`. */
const sessionCalls = (page: Page, path: string, body: object): Promise<string> =>
  page.evaluate(
    async ([address, content]) => {
      const authorization = `Bearer ${localStorage.getItem('porchlight_token') ?? ''}`;
      const headers = { 'content-type': 'application/json', authorization };
      const answer = await fetch(`/api${address}`, { method: 'POST', headers, body: content });
      return answer.ok ? 'passed' : ((await answer.json()) as { code: string }).code;
    },
    [path, JSON.stringify(body)] as const,
  );

/** The caller has just logged in elsewhere, which is the strongest that a holder can have. */
async function expectHolderMayNot(household: Household): Promise<void> {
  const incident = await stopAnyDesk(household);
  await expectUnchanged(household, async () => {
    await chooseProfile(household, 'Permissive');
    await expectAsked(household);
    const page = await logInAsVictim(household, household.town.newAddress());
    const [request] = await requestsOf(household, incident);
    expect(await sessionCalls(page, `/web/requests/${request?.uuid}`, { answer: 'yes' })).toBe('may_not_answer');
    expect(await sessionCalls(page, `/web/incidents/${incident}`, { answer: 'over' })).toBe('may_not_answer');
    expect(await sessionCalls(page, `/web/incidents/${incident}`, { answer: 'allow_hour' })).toBe('may_not_answer');
    await chooseProfile({ ...household, dashboard: page }, 'Permissive');
    await expectAsked({ dashboard: page });
    await page.context().close();
  });
  await expectOpen(household);
}

const declared: Way[] = [
  {
    title: 'The victim says that Eve uses the computer, and the caller answers as the holder after a program was stopped',
    flow: null,
    outcome: 'held',
    async run(household) {
      await nameSomeoneElse(household);
      await mailTo(household.town.world, bobOf(household).email, /^Ann changed who uses Den PC to Eve/);
      await expectHolderMayNot(household);
    },
  },
  {
    title: 'The victim says that Eve uses the computer, and the caller answers as the holder 71 hours later',
    flow: null,
    outcome: 'held',
    async run(household) {
      await nameSomeoneElse(household);
      await mailTo(household.town.world, bobOf(household).email, /^Ann changed who uses Den PC to Eve/);
      await household.pass(71 * hour);
      await expectHolderMayNot(household);
    },
  },
];

const newPassword = 'a second long password';

async function changePassword({ town, ann, dashboard }: Household): Promise<void> {
  await dashboard.goto(`${town.world.dashboardUrl}/profile/password`);
  const form = dashboard.getByRole('form', { name: 'Change your password' });
  const fill = (label: string, text: string) => form.getByLabel(label, { exact: true }).fill(text);
  await fill('Current Password', ann.password);
  await fill('New Password', newPassword);
  await fill('Confirm New Password', newPassword);
  await form.getByRole('button', { name: 'Save Password' }).click();
  await mailTo(town.world, ann.email, /password/i);
}

const passwords: Way[] = [
  {
    title: 'The victim changes the password for the caller after a program was stopped, which opens nothing else',
    flow: null,
    outcome: 'held',
    async run(household) {
      const incident = await stopAnyDesk(household);
      await expectUnchanged(household, async () => {
        await changePassword(household);
        await mailTo(household.town.world, bobOf(household).email, /password/);
        const changed = { ...household, ann: { ...household.ann, password: newPassword } };
        await enterPassword(changed);
        await chooseProfile(household, 'Permissive');
        await expectAsked(household);
        for (const place of [null, household.town.newAddress()]) {
          const page = await logInAsVictim(changed, place);
          await chooseProfile({ ...household, dashboard: page }, 'Permissive');
          await expectAsked({ dashboard: page });
          await page.context().close();
        }
      });
      expect(await requestsOf(household, incident)).toHaveLength(1);
      expect(await emailsTo(household, bobOf(household), /Ann wants to put Den PC on Permissive/)).toBe(1);
    },
  },
];

/** What the victim presses on her own page about the incident. */
const presses: Way[] = [
  {
    title: 'The victim presses I’m on it, It was me and It’s over on her own page',
    flow: null,
    outcome: 'held',
    short: true,
    async run(household) {
      const { dashboard, town } = household;
      const incident = await stopAnyDesk(household);
      await expectUnchanged(household, async () => {
        await dashboard.goto(`${town.world.dashboardUrl}/incident/${incident}`);
        for (const label of ['It was me', 'I’m on it']) {
          await dashboard.getByRole('button', { name: label, exact: true }).click();
          await expect(
            dashboard
              .getByRole('status')
              .filter({ hasText: /^Thank you\./ })
              .first(),
          ).toBeVisible();
        }
        await expect(dashboard.getByRole('button', { name: 'It’s over' })).toHaveCount(0);
        await enterPassword(household);
        expect(await sessionCalls(dashboard, `/web/incidents/${incident}`, { answer: 'over' })).toBe('may_not_answer');
        expect(await sessionCalls(dashboard, `/web/incidents/${incident}`, { answer: 'allow_hour' })).toBe('may_not_answer');
      });
      expect(await incidentOf(household, incident)).toMatchObject({ state: 'open', over_by: null, escalation: { state: 'running' } });
      await startAndExpectEnd(household, { name: 'AnyDesk.exe' });
    },
  },
];

const strangers: Way[] = [
  {
    title: 'The caller answers the victim’s request from an account and a guardian’s page of his own',
    flow: null,
    outcome: 'held',
    async run(household) {
      const { town } = household;
      const incident = await stopAnyDesk(household);
      const mallory = await registeredPerson(town.world, 'Mallory Example');
      await expectUnchanged(household, async () => {
        await chooseProfile(household, 'Permissive');
        await expectAsked(household);
        const [request] = await requestsOf(household, incident);
        const page = await pageOf(town.browser, town.world, mallory);
        await page.goto(town.world.dashboardUrl);
        for (const id of [request?.uuid, '00000000-0000-4000-8000-000000000000']) {
          expect(await sessionCalls(page, `/web/requests/${id}`, { answer: 'yes' })).toBe('not_found');
          expect(await sessionCalls(page, `/web/requests/${id}`, { answer: 'no' })).toBe('not_found');
        }
        expect(await sessionCalls(page, `/web/incidents/${incident}`, { answer: 'over' })).toBe('not_found');
        await page.goto(`${town.world.dashboardUrl}/incident/${incident}`);
        await expect(page.getByText(/^We could not find that\./)).toBeVisible();
        await page.context().close();
      });
      expect((await requestsOf(household, incident)).map(({ state }) => state)).toEqual(['open']);
    },
  },
];

const codeOf = ({ town }: Household, { token }: Person) =>
  call(town.world.url, 'POST /web/create-device', { token, body: { name: 'Kitchen PC' } });
const isConnected = async ({ town }: Household, { token }: Person) =>
  (await call(town.world.url, 'GET /web/devices', { token })).devices.some(({ login_code }) => login_code === undefined);

/** The window asks whose computer it should be. Neither a fast yes nor the PIN moves it. */
async function expectNotMoved(household: Household, mallory: Person, pin: string): Promise<void> {
  const { window, computer } = household;
  await expect(window.getByRole('heading', { level: 1 })).toHaveText('Should this computer belong to Mallory?');
  await expect(window.getByText('Did a stranger on the phone send you here? Then say no.')).toBeVisible();
  await expect(window.getByRole('button', { name: 'No, change nothing' })).toBeFocused();
  const yes = window.getByRole('button', { name: 'Yes, it should belong to Mallory' });
  await window.locator('#pin').fill(pin);
  await yes.click();
  await expect(window.getByRole('alert')).toContainText(/You can say yes in|isn’t enough/);
  expect(await isConnected(household, mallory)).toBe(false);
  await computer.passes(10_000, { wall: false });
  await window.locator('#pin').fill(pin);
  await yes.click();
  await expect(window.getByRole('alert')).toContainText(pinAlone);
  expect(await isConnected(household, mallory)).toBe(false);
}

const links: Way[] = [
  {
    title: 'The caller has a code of his own account typed into the window after a program was stopped',
    flow: null,
    outcome: 'held',
    async run(household) {
      const pin = await notePin(household);
      const mallory = await registeredPerson(household.town.world, 'Mallory Example');
      const { login_code } = await codeOf(household, mallory);
      const { window, computer } = household;
      await stopAnyDesk(household);
      await expectUnchanged(household, async () => {
        await computer.open(window);
        await window.goto(new URL('other', window.url()).href);
        await window.getByLabel('Your code').fill(login_code);
        await window.getByRole('button', { name: 'Connect' }).click();
        await expectNotMoved(household, mallory, pin);
      });
      await startAndExpectEnd(household, { name: 'AnyDesk.exe' });
    },
  },
  {
    title: 'The caller’s own dashboard hands the computer over to his account after a program was stopped',
    flow: null,
    outcome: 'held',
    async run(household) {
      const pin = await notePin(household);
      const { town, window, computer } = household;
      const mallory = await registeredPerson(town.world, 'Mallory Example');
      const { login_code } = await codeOf(household, mallory);
      await stopAnyDesk(household);
      await expectUnchanged(household, async () => {
        const page = await pageOf(town.browser, town.world, mallory);
        await page.goto(`${town.world.dashboardUrl}/share/${login_code}`);
        const opened = computer.opened.length;
        await page.getByRole('button', { name: 'Connect this computer' }).click();
        await expect(page.getByText(/^This computer belongs to an account already\. Answer the question/)).toBeVisible();
        await expect.poll(() => computer.opened.length).toBeGreaterThan(opened);
        await window.goto(computer.opened.at(-1) ?? '');
        await expectNotMoved(household, mallory, pin);
        await page.context().close();
      });
      await startAndExpectEnd(household, { name: 'AnyDesk.exe' });
    },
  },
  {
    title: 'The victim removes the computer with nothing going on, and the agent goes on asking for the Admin PIN',
    flow: null,
    outcome: 'reported',
    async run(household) {
      const { town, window, computer } = household;
      const mallory = await registeredPerson(town.world, 'Mallory Example');
      const { login_code } = await codeOf(household, mallory);
      await removeComputer(household);
      await mailTo(town.world, bobOf(household).email, /^Ann removed Den PC from the account/);
      await computer.open(window);
      await expect(window.getByRole('heading', { name: 'This computer was removed from its account' })).toBeVisible({ timeout: 15_000 });
      await startAndExpectEnd(household, { name: 'AnyDesk.exe' });
      for (const wait of [0, 23 * hour]) {
        await computer.passes(wait, { wall: false });
        await computer.open(window);
        await window.getByLabel('Your code').fill(login_code);
        await window.getByRole('button', { name: 'Connect' }).click();
        await expect(window.getByText(/To say yes you also need/)).toBeVisible();
        await window.locator('#pin').fill('000000');
        await computer.passes(10_000, { wall: false });
        await window.getByRole('button', { name: 'Yes, it should belong to Mallory' }).click();
        await expect(window.getByRole('alert')).toContainText('That is not the PIN.');
        expect(await isConnected(household, mallory)).toBe(false);
      }
      await startAndExpectEnd(household, { name: 'AnyDesk.exe' });
      expect(await incidentsOf(household)).toEqual([]);
    },
  },
];

export const accountWays: Way[] = [...declared, ...passwords, ...presses, ...strangers, ...links];
