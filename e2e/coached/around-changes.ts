import { expect } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { mailTo } from '../lib/screens.ts';
import { bobOf, expectAsked, expectIncident, expectUnchanged, hour, requestsOf, stopAnyDesk } from './around-steps.ts';
import { emailsTo, notifiedWeakenings, type Weakening, weakenings } from './around-weakenings.ts';
import type { Household } from './household.ts';
import { answer, expectMail, protection } from './steps.ts';
import type { Way } from './way.ts';

/** Changes on the dashboard: after a stop, as the second one within an hour, and with nothing going on. */

async function happens(household: Household, { attempt, happened, becomes }: Weakening): Promise<void> {
  const before = await protection(household);
  const began = Date.now();
  await attempt(household);
  let since = 0;
  const isLogged = async () => {
    const { items } = await call(household.town.world.url, 'GET /web/acts', { token: household.ann.token });
    since = new Date(items[0]?.time ?? 0).getTime();
    return since >= began;
  };
  await expect.poll(isLogged, { message: 'an entry of the activity log' }).toBe(true);
  // The activity log and the mailbox have the clock of one process.
  await expectMail(household, bobOf(household).email, happened, { since });
  expect(await protection(household)).toEqual({ ...before, ...becomes(before) });
}

async function waits(household: Household, { attempt, wants }: Weakening): Promise<void> {
  await attempt(household);
  await expectAsked(household);
  await mailTo(household.town.world, bobOf(household).email, wants);
}

const afterStop = (weakening: Weakening): Way => ({
  title: `The victim ${weakening.title} after a program was stopped`,
  flow: null,
  outcome: 'held',
  async run(household) {
    const bob = bobOf(household);
    await weakening.prepare?.(household);
    const incident = await stopAnyDesk(household);
    await expectUnchanged(household, async () => {
      await waits(household, weakening);
      await weakening.attempt(household);
      await expectAsked(household);
      expect(await requestsOf(household, incident)).toHaveLength(1);
      await answer(bob, weakening.wants, 'no');
      await mailTo(household.town.world, household.ann.email, /said no|No/);
    });
    expect(await emailsTo(household, bob, weakening.wants), 'emails to Bob').toBe(1);
  },
});

const calm = (weakening: Weakening): Way => ({
  title: `The victim ${weakening.title} with nothing going on`,
  flow: null,
  outcome: 'reported',
  async run(household) {
    await happens(household, weakening);
  },
});

const named = (title: string): Weakening => {
  const weakening = weakenings.find((one) => one.title === title);
  if (!weakening) throw new Error(`There is no weakening “${title}”.`);
  return weakening;
};
const pairs: [first: string, second: string][] = [
  ['chooses a weaker profile', 'allows a remote-control program'],
  ['removes the guardian', 'allows a remote-control program'],
  ['makes a new Admin PIN', 'chooses a weaker profile'],
  ['chooses a weaker profile', 'removes the guardian'],
  ['switches the alerts off', 'removes the computer from the account'],
  ['says that somebody else uses the computer', 'makes a new Admin PIN'],
];

const secondOne = (first: Weakening, second: Weakening): Way => ({
  title: `The victim ${first.title}, and ${second.title} within the hour`,
  flow: null,
  outcome: 'held',
  async run(household) {
    const { pass } = household;
    await first.attempt(household);
    await mailTo(household.town.world, bobOf(household).email, first.happened);
    await pass(30 * 60_000);
    await expectUnchanged(household, async () => {
      await second.attempt(household);
      await expectAsked(household);
      await expectIncident(household);
      await pass(3 * hour);
      await second.attempt(household);
      await expectAsked(household);
    });
  },
});

/** The PIN alone does not make a change wait (P15.10), and what the change lets run is stopped in its first hour (P9.1). */
const afterPin = (change: Weakening): Way => ({
  title: `The victim reads the Admin PIN to the caller, and ${change.title} within the hour; then the caller has AnyDesk started`,
  flow: null,
  outcome: 'stopped',
  async run(household) {
    await named('reads the Admin PIN to the caller').attempt(household);
    await household.pass(30 * 60_000);
    await happens(household, change);
    await stopAnyDesk(household);
  },
});

export const changes: Way[] = [
  ...weakenings.map(afterStop),
  ...pairs.map(([first, second]) => secondOne(named(first), named(second))),
  afterPin(named('chooses a weaker profile')),
  ...notifiedWeakenings.map(calm),
];
