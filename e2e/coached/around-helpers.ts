import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { linkIn, mailTo } from '../lib/screens.ts';
import {
  bobOf,
  codesTo,
  enterPassword,
  expectIncident,
  expectUnchanged,
  giveBobPhone,
  hour,
  pageCalls,
  stopAnyDesk,
} from './around-steps.ts';
import { nameSomeoneElse } from './around-weakenings.ts';
import type { Household } from './household.ts';
import { expectBlocked, expectMail, expectOpen, incidentsOf, startAndExpectEnd, startAndExpectRunning } from './steps.ts';
import type { Way } from './way.ts';

/** The caller says that he is the one who helps, and wants an appointment (P15.1): from the victim, and from Bob. */

const anydesk = { name: 'AnyDesk.exe', signer: 'AnyDesk Software GmbH' };
const teamviewer = { name: 'TeamViewer.exe', signer: 'TeamViewer Germany GmbH' };
const bank = 'www.chase.com';

const helpNow = (page: Page) => page.getByRole('region', { name: 'I’m helping now' });
const startButton = (page: Page) => helpNow(page).getByRole('button', { name: 'I’m helping now' });

const appointmentsOf = async ({ town, ann }: Household) =>
  (await call(town.world.url, 'GET /web/appointments', { token: ann.token })).items;

const opening = (device: string, identifier: string) => ({ device, identifier, minutes: 60, money_pages: true }) as const;

/** With the password that the victim has entered just now. */
async function expectNotOpened(household: Household, identifier: string): Promise<void> {
  const { town, ann, device } = household;
  await enterPassword(household);
  const opened = call(town.world.url, 'POST /web/appointments', { token: ann.token, body: opening(device, identifier) });
  await expect(opened).rejects.toMatchObject({ code: 'may_not_answer' });
  expect(await appointmentsOf(household)).toEqual([]);
}

/** Somebody opens the computer for a program on Bob’s page, with the code that Bob’s phone gets. */
async function openOnBobsPage(household: Household, page: Page, number: string, identifier: string): Promise<void> {
  const heading = page.getByRole('heading', { name: 'Do something now' });
  await expect(heading).toBeVisible();
  // In an incident it is open.
  if ((await page.locator('details', { has: heading }).getAttribute('open')) === null) await heading.click();
  await startButton(page).click();
  await helpNow(page).getByLabel('With which program?').selectOption(identifier);
  const before = (await codesTo(household, number)).length;
  await startButton(page).click();
  await expect.poll(async () => (await codesTo(household, number)).length, { timeout: 15_000 }).toBe(before + 1);
  const { body } = (await household.town.world.texts()).find(({ to }) => to === number) ?? { body: '' };
  expect(body).toContain('never give it to anybody who calls you');
  const pressed = Date.now();
  const [code] = await codesTo(household, number);
  await page
    .getByRole('dialog')
    .getByLabel('The six digits')
    .fill(code ?? '');
  await page.keyboard.press('Enter');
  await expect(helpNow(page)).toContainText('Open. Start the program there now.');
  for (const to of [household.ann.email, bobOf(household).email])
    await expectMail(household, to, /Bob opened Den PC/, { since: pressed, limit: 4000 });
  await household.computer.open(household.window);
  await expect(household.window.getByText(/Bob is helping until/).first()).toBeVisible({ timeout: 20_000 });
}

/** Only in an incident, or once remote control runs, do money pages rest. */
const expectBankRests = (household: Household) => expectBlocked(household, [bank]);

export const helperWays: Way[] = [
  {
    title: 'The caller who says that he helps has the victim open her own computer for AnyDesk or TeamViewer',
    flow: null,
    outcome: 'held',
    short: true,
    async run(household) {
      const { town, dashboard, device } = household;
      await expectUnchanged(household, async () => {
        await dashboard.goto(`${town.world.dashboardUrl}/devices/${device}`);
        await expect(dashboard.getByRole('group', { name: 'Who uses this computer?' })).toBeVisible();
        await expect(helpNow(dashboard)).toHaveCount(0);
        for (const identifier of ['anydesk', 'teamviewer']) await expectNotOpened(household, identifier);
        expect(await incidentsOf(household)).toEqual([]);
        for (const program of [anydesk, teamviewer]) await startAndExpectEnd(household, program);
        await expectIncident(household);
        for (const identifier of ['anydesk', 'teamviewer']) await expectNotOpened(household, identifier);
        await household.pass(3 * hour);
        await startAndExpectEnd(household, teamviewer);
      });
    },
  },
  {
    title: 'The caller who says that he helps has the victim name Eve as the user, and open the computer for TeamViewer',
    flow: null,
    outcome: 'held',
    async run(household) {
      const { dashboard, pass } = household;
      await nameSomeoneElse(household);
      await expect(dashboard.getByText('Device updated successfully')).toBeVisible();
      await expectUnchanged(household, async () => {
        for (const wait of [0, 71 * hour]) {
          await pass(wait);
          await dashboard.reload();
          await startButton(dashboard).click();
          await expect(helpNow(dashboard)).toContainText('Until then, a guardian can.');
          await expectNotOpened(household, 'teamviewer');
        }
        // Then Eve has been the user for long enough, but the victim sits at that computer.
        await pass(10 * hour);
        await expectNotOpened(household, 'teamviewer');
        await startAndExpectEnd(household, teamviewer);
        await expectIncident(household);
      });
    },
  },
  {
    title: 'The caller whose AnyDesk was stopped opens Bob’s email in the victim’s browser, and Bob reads him the code',
    flow: null,
    outcome: 'reported',
    async run(household) {
      const { town, device, dashboard, window, computer } = household;
      const [bob, number] = [bobOf(household), '+12025550162'];
      await giveBobPhone(household, number);
      await stopAnyDesk(household);
      const page = await dashboard.context().newPage();
      await page.goto(linkIn(await mailTo(town.world, bob.email, /^Ann may need you: .*AnyDesk was blocked on Den PC$/)));
      // Before the page is there, its link has made no session yet.
      await expect(page.getByRole('heading', { name: 'Do something now' })).toBeVisible();
      const open = (more: object) =>
        pageCalls(page, 'POST', `/guardian/${bob.uuid}/appointments`, { ...opening(device, 'anydesk'), ...more });
      expect(await open({})).toBe('code_needed');
      expect(await open({ code: '000000' })).not.toBe('passed');
      expect(await appointmentsOf(household)).toEqual([]);
      await expectUnchanged(household, async () => {
        await openOnBobsPage(household, page, number, 'anydesk');
        // In an incident it is the yes for an hour.
        const [appointment] = await appointmentsOf(household);
        expect(appointment).toMatchObject({ by: 'Bob', program: 'AnyDesk', money_pages: false });
        expect(new Date(appointment?.until ?? 0).getTime()).toBeLessThanOrEqual(Date.now() + hour);
        const pid = await startAndExpectRunning(household, anydesk);
        await expectBankRests(household);
        await window.getByRole('button', { name: 'End it now' }).click();
        await expect.poll(() => computer.windows.isRunning(pid), { message: 'the end of AnyDesk' }).toBe(false);
        await expect.poll(() => appointmentsOf(household)).toEqual([]);
      });
      // It answered nothing.
      await expectIncident(household);
      await page.close();
    },
  },
  {
    title: 'The caller has Bob open the computer for TeamViewer, and starts AnyDesk beside it, which ends both',
    flow: null,
    outcome: 'stopped',
    short: true,
    async run(household) {
      const { computer } = household;
      const [bob, number] = [bobOf(household), '+12025550163'];
      await giveBobPhone(household, number);
      await expectUnchanged(household, async () => {
        await expectOpen(household, [bank]);
        await openOnBobsPage(household, bob.phone, number, 'teamviewer');
        const named = await startAndExpectRunning(household, teamviewer);
        await expectBankRests(household);
        expect(await incidentsOf(household)).toEqual([]);
        const started = Date.now();
        await startAndExpectEnd(household, anydesk);
        await expect.poll(() => computer.windows.isRunning(named), { message: 'the end of TeamViewer', timeout: 5000 }).toBe(false);
        await expectIncident(household);
        await expectMail(household, bob.email, /^Ann may need you: AnyDesk was blocked on Den PC$/, { since: started });
        await expect.poll(() => appointmentsOf(household)).toEqual([]);
        for (const program of [teamviewer, anydesk]) await startAndExpectEnd(household, program);
        await expectBankRests(household);
      });
    },
  },
];
