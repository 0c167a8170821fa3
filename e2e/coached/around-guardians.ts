import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { acceptInvitation } from '../lib/guardians.ts';
import { linkIn, mailTo } from '../lib/screens.ts';
import {
  bobOf,
  browserAt,
  codesTo,
  enterPassword,
  expectAsked,
  expectOpen,
  expectUnchanged,
  giveBobPhone,
  hour,
  incidentOf,
  minute,
  pageCalls,
  requestsOf,
  stopAnyDesk,
} from './around-steps.ts';
import { evesEmail, inviteOnScreen, removeBob } from './around-weakenings.ts';
import type { Household } from './household.ts';
import { allow, answer, chooseProfile, incidentsOf, protection } from './steps.ts';
import type { Way } from './way.ts';

/** Who answers: the caller as a guardian, Bob’s own link in the wrong hands, and nobody. */

const idOf = (page: Page) => new URL(page.url()).pathname.split('/')[3] ?? '';
const tooNew = 'You became a guardian less than three days ago, so someone else must answer.';
const tooNear = /^You are at a computer of this account, so someone else must answer/;
const yesButton = (page: Page) => page.getByRole('button', { name: 'Yes, it is all right' });

/** The caller accepts the invitation at his own desk. */
async function becomeGuardian(household: Household): Promise<Page> {
  await inviteOnScreen(household, 'Eve', evesEmail(household));
  const page = await browserAt(household, household.town.newAddress());
  await acceptInvitation(page, household.town.world, evesEmail(household));
  return page;
}

/** A newly stopped program, and a change that waits: the new guardian’s page has no yes, and the server takes none. */
async function expectNoYesFrom(household: Household, page: Page): Promise<void> {
  const incident = await stopAnyDesk(household);
  await expectUnchanged(household, async () => {
    await allow(household, 'AnyDesk');
    await expectAsked(household);
    await page.reload();
    await expect(page.getByText(tooNew).first()).toBeVisible();
    await expect(yesButton(page)).toHaveCount(0);
    const [request] = await requestsOf(household, incident);
    const path = `/guardian/${idOf(page)}`;
    expect(await pageCalls(page, 'POST', `${path}/requests/${request?.uuid}`, { answer: 'yes' })).toBe('may_not_answer');
    expect(await pageCalls(page, 'POST', `${path}/incidents/${incident}`, { answer: 'over' })).toBe('may_not_answer');
    expect(await pageCalls(page, 'POST', `${path}/incidents/${incident}`, { answer: 'allow_hour' })).toBe('may_not_answer');
    expect(await pageCalls(page, 'POST', `${path}/codes`, { device: household.device, purpose: 'pause' })).toBe('may_not_answer');
    // It is shown, and the others are still reached (P11.1).
    expect(await pageCalls(page, 'POST', `${path}/incidents/${incident}`, { answer: 'on_it' })).toBe('passed');
    expect(await incidentOf(household, incident)).toMatchObject({ on_it: [{ by: 'Eve' }], escalation: { state: 'running' } });
    await allow(household, 'AnyDesk');
    await expectAsked(household);
  });
}

const newGuardian: Way[] = [
  {
    title: 'The caller is added as a guardian, and says yes after a program was stopped',
    flow: null,
    outcome: 'held',
    short: true,
    async run(household) {
      const page = await becomeGuardian(household);
      await expectNoYesFrom(household, page);
      // Bob may still answer.
      await answer(bobOf(household), /Ann wants to allow AnyDesk/, 'yes');
      await page.context().close();
    },
  },
  {
    title: 'The caller is added as a guardian, and says yes 71 hours later',
    flow: null,
    outcome: 'held',
    async run(household) {
      const page = await becomeGuardian(household);
      await household.pass(71 * hour);
      await expectNoYesFrom(household, page);
      await page.context().close();
    },
  },
  {
    title: 'The caller wants to be added as a guardian once a program was stopped, and gets no invitation',
    flow: null,
    outcome: 'held',
    async run(household) {
      await stopAnyDesk(household);
      await expectUnchanged(household, async () => {
        await inviteOnScreen(household, 'Eve', evesEmail(household));
        await expectAsked(household);
        await answer(bobOf(household), /Ann wants to ask Eve to be a guardian/, 'no');
        await mailTo(household.town.world, household.ann.email, /Eve/);
      });
      const mails = await household.town.world.mailbox();
      expect(mails.filter(({ to }) => to.includes(evesEmail(household)))).toEqual([]);
    },
  },
];

/** Where the caller opens the link of Bob’s email. `inBrowser`: the victim’s own, whose agent has answered it. */
interface Seat {
  title: string;
  open(household: Household): Promise<Page>;
}
const seats: Seat[] = [
  { title: 'in the victim’s browser', open: ({ dashboard }) => dashboard.context().newPage() },
  { title: 'in another browser of the victim’s home', open: (household) => browserAt(household) },
];

async function openBobsEmail(household: Household, seat: Seat, subject: RegExp): Promise<Page> {
  const page = await seat.open(household);
  await page.goto(linkIn(await mailTo(household.town.world, bobOf(household).email, subject)));
  await expect(page).toHaveURL(/\/guardian\/[\w-]{36}(\?.*)?$/);
  await expect(page.getByRole('button', { name: 'No, stop this' }).first()).toBeVisible();
  return page;
}

const weakerAnswers = (
  page: Page,
  { device }: Household,
  incident: string,
  request: string,
): [method: string, path: string, body: object][] => [
  ['POST', `/guardian/${idOf(page)}/requests/${request}`, { answer: 'yes' }],
  ['POST', `/guardian/${idOf(page)}/incidents/${incident}`, { answer: 'over' }],
  ['POST', `/guardian/${idOf(page)}/incidents/${incident}`, { answer: 'on_it' }],
  ['POST', `/guardian/${idOf(page)}/incidents/${incident}`, { answer: 'allow_hour' }],
  ['POST', `/guardian/${idOf(page)}/codes`, { device, purpose: 'pause' }],
  ['POST', `/guardian/${idOf(page)}/leave`, {}],
  ['PATCH', `/guardian/${idOf(page)}`, { email: false }],
];

async function tryAllAsBob(household: Household, seat: Seat, refusal: 'may_not_answer' | 'code_needed'): Promise<Page> {
  const incident = await stopAnyDesk(household);
  await allow(household, 'AnyDesk');
  await expectAsked(household);
  const page = await openBobsEmail(household, seat, /Ann wants to allow AnyDesk/);
  const [request] = await requestsOf(household, incident);
  await expectUnchanged(household, async () => {
    const answers = weakerAnswers(page, household, incident, request?.uuid ?? '');
    for (const [method, path, body] of answers) {
      expect(await pageCalls(page, method, path, body), `${method} ${path} ${JSON.stringify(body)}`).toBe(refusal);
      if (refusal === 'code_needed') expect(await pageCalls(page, method, path, { ...body, code: '000000' })).not.toBe('passed');
    }
  });
  expect(await incidentOf(household, incident)).toMatchObject({ state: 'open', on_it: [] });
  return page;
}

const bobsMailbox: Way[] = [
  ...seats.map(
    (seat): Way => ({
      title: `The caller opens Bob’s email ${seat.title}, and answers for him`,
      flow: null,
      outcome: 'held',
      short: true,
      async run(household) {
        const page = await tryAllAsBob(household, seat, 'may_not_answer');
        await expect(page.getByText(tooNear).first()).toBeVisible();
        await expect(yesButton(page)).toHaveCount(0);
        // Over mobile data Bob himself may.
        await answer(bobOf(household), /Ann wants to allow AnyDesk/, 'yes');
        await expect.poll(async () => (await protection(household)).allowed, { timeout: 15_000 }).toEqual(['AnyDesk']);
        await page.close();
      },
    }),
  ),
  {
    title: 'The caller opens Bob’s email in the victim’s browser, and does not have the code that Bob’s phone gets',
    flow: null,
    outcome: 'held',
    async run(household) {
      const number = '+12025550161';
      await giveBobPhone(household, number);
      const page = await tryAllAsBob(household, seats[0] as Seat, 'code_needed');
      await expectUnchanged(household, async () => {
        await yesButton(page).click();
        const proof = page.getByRole('dialog');
        const codes = () => codesTo(household, number);
        await expect.poll(async () => (await codes()).length, { timeout: 15_000 }).toBeGreaterThan(0);
        const wrong = String((Number((await codes())[0]) + 1) % 1_000_000).padStart(6, '0');
        await proof.getByLabel('The six digits').fill(wrong);
        await page.keyboard.press('Enter');
        await expect(proof.getByRole('alert')).toContainText('That is not the code we sent.');
      });
      await page.close();
    },
  },
];

const sayOver = ({ town, ann }: Household, incident: string) =>
  call(town.world.url, 'POST /web/incidents/:uuid', { token: ann.token, params: { uuid: incident }, body: { answer: 'over' } });

/** What is tried again and again with the password, while nobody may answer. */
async function expectStillWaits(household: Household): Promise<void> {
  await expectUnchanged(household, async () => {
    await enterPassword(household);
    await chooseProfile(household, 'Permissive');
    await expectAsked(household);
  });
}

const nobody: Way[] = [
  {
    title: 'The victim removes Bob before anything is started, and then nobody can be asked for a day',
    flow: null,
    outcome: 'held',
    short: true,
    async run(household) {
      const { dashboard, pass } = household;
      await removeBob(household);
      await mailTo(household.town.world, bobOf(household).email, /^Ann removed you as a guardian/);
      await pass(2 * hour);
      const incident = await stopAnyDesk(household);
      await expectStillWaits(household);
      await expect(dashboard.getByText(/You had a guardian until a few days ago/)).toBeVisible();
      for (const wait of [61 * minute, 2 * hour, 20 * hour]) {
        await pass(wait);
        await expectStillWaits(household);
      }
      await expect(sayOver(household, incident)).rejects.toMatchObject({ code: 'may_not_answer' });
      await expectOpen(household);
    },
  },
  {
    title: 'The victim without a guardian weakens the profile after a program was stopped, and waits an hour',
    flow: null,
    outcome: 'held',
    household: { guardian: false },
    async run(household) {
      const { dashboard, pass } = household;
      await stopAnyDesk(household);
      await expectStillWaits(household);
      await expect(dashboard.getByText(/There is nobody we can ask\. You can do it at/)).toBeVisible();
      await pass(59 * minute);
      await expectStillWaits(household);
      await pass(2 * minute + 10 * minute);
      // Without the password an hour is not enough either.
      await expectUnchanged(household, async () => {
        await chooseProfile(household, 'Permissive');
        await expect(dashboard.getByText('Nobody has answered. Your password or a passkey is enough now.')).toBeVisible();
      });
      const before = await protection(household);
      await enterPassword(household);
      await chooseProfile(household, 'Permissive');
      await expect(dashboard.getByText('Device updated successfully')).toBeVisible();
      expect(await protection(household)).toEqual({ ...before, devices: before.devices.map((one) => ({ ...one, policy: 'permissive' })) });
      await expectOpen(household);
    },
  },
  {
    title: 'The victim without a guardian says that it is over, and waits an hour',
    flow: null,
    outcome: 'held',
    household: { guardian: false },
    async run(household) {
      const { pass } = household;
      const incident = await stopAnyDesk(household);
      await expectUnchanged(household, async () => {
        await enterPassword(household);
        await sayOver(household, incident).catch(() => {});
        await expectOpen(household);
        await pass(59 * minute);
        await enterPassword(household);
        await expect(sayOver(household, incident)).rejects.toMatchObject({ code: 'may_not_answer' });
        await pass(12 * minute);
        await expect(sayOver(household, incident)).rejects.toMatchObject({ code: 'password_needed' });
        await expectOpen(household);
        await enterPassword(household);
        await sayOver(household, incident);
      });
      expect((await incidentsOf(household)).map(({ state }) => state)).toEqual(['watched']);
    },
  },
];

export const guardianWays: Way[] = [...newGuardian, ...bobsMailbox, ...nobody];
