import { expect } from '@playwright/test';
import { minute } from '@porchlight/contract/time.ts';
import type { Household } from './household.ts';
import {
  allow,
  answer,
  chooseProfile,
  expectMail,
  expectPolicy,
  incidentsOf,
  protection,
  startAndExpectEnd,
  startAndExpectRunning,
} from './steps.ts';
import type { Way } from './way.ts';

const anydesk = { name: 'AnyDesk.exe' };

function guardianOf({ bob }: Household) {
  if (!bob) throw new Error('this household has no guardian');
  return bob;
}

/** The policy reaches the agent within seconds of the change. */
const eventuallyRuns = (household: Household, program: { name: string }) =>
  expect(() => startAndExpectRunning(household, program)).toPass({ timeout: 20_000 });

/** What is made possible first, with nothing going on, and used then (P9.1). */
export const firstHourWays: Way[] = [
  {
    title: 'With nothing going on, the victim allows AnyDesk, and then starts it',
    flow: null,
    outcome: 'held',
    short: true,
    async run(household) {
      const [bob, began] = [guardianOf(household), Date.now()];
      await allow(household, 'AnyDesk');
      await expect.poll(async () => (await protection(household)).allowed).toEqual(['AnyDesk']);
      // The browser takes a second or two of that; `around-changes.ts` measures from the change itself.
      await expectMail(household, bob.email, /Ann allowed AnyDesk/, { since: began, limit: 4000 });
      await startAndExpectEnd(household, anydesk);
      await expect.poll(async () => (await incidentsOf(household)).map(({ opener }) => opener)).toEqual(['allowed_started']);
      await expect.poll(async () => (await protection(household)).allowed).toEqual([]);
      await startAndExpectEnd(household, anydesk);
      await answer(bob, /Ann wants to allow AnyDesk/, 'yes');
      await eventuallyRuns(household, anydesk);
      await household.pass(61 * minute);
      await expect(() => startAndExpectEnd(household, anydesk)).toPass({ timeout: 20_000 });
    },
  },
  {
    title: 'With nothing going on, the victim chooses a weaker profile, and then starts TeamViewer',
    flow: null,
    outcome: 'held',
    async run(household) {
      const bob = guardianOf(household);
      await chooseProfile(household, 'Permissive');
      await expect.poll(async () => (await protection(household)).devices.map(({ policy }) => policy)).toEqual(['permissive']);
      await startAndExpectEnd(household, { name: 'TeamViewer.exe' });
      await expect.poll(async () => (await protection(household)).devices.map(({ policy }) => policy)).toEqual(['strict']);
      await answer(bob, /Ann wants to allow TeamViewer/, 'no');
      await startAndExpectEnd(household, { name: 'TeamViewer.exe' });
    },
  },
  {
    title: 'The victim allows AnyDesk, and starts it after more than an hour',
    flow: null,
    outcome: 'reported',
    async run(household) {
      const bob = guardianOf(household);
      await allow(household, 'AnyDesk', 'until I remove it');
      await expect.poll(async () => (await protection(household)).allowed).toEqual(['AnyDesk']);
      await household.pass(61 * minute);
      expect(await incidentsOf(household)).toEqual([]);
      await expectPolicy(household, /anydesk/);
      const began = Date.now();
      await eventuallyRuns(household, anydesk);
      await expect.poll(async () => (await incidentsOf(household)).map(({ opener }) => opener)).toEqual(['allowed_started']);
      await expectMail(household, bob.email, /AnyDesk/, { since: began, limit: 30_000 });
      // From then on nothing else passes.
      await chooseProfile(household, 'Permissive');
      await expect(household.dashboard.getByRole('dialog').filter({ hasText: 'Nothing has changed yet.' })).toBeVisible();
    },
  },
  {
    title: 'The victim presses “I asked for this” after the stop',
    flow: null,
    outcome: 'held',
    async run(household) {
      const bob = guardianOf(household);
      await startAndExpectEnd(household, anydesk);
      await household.computer.open(household.window);
      await household.window.getByRole('button', { name: 'I asked for this' }).click();
      await startAndExpectEnd(household, anydesk);
      expect((await protection(household)).allowed).toEqual([]);
      await expect(() => answer(bob, /Someone at Den PC wants to use AnyDesk/, 'yes')).toPass({ timeout: 20_000 });
      await eventuallyRuns(household, anydesk);
    },
  },
];
