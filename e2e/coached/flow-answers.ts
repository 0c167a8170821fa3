import { expect } from '@playwright/test';
import { hour, minute } from '@porchlight/contract/time.ts';
import { call } from '@porchlight/dev/call.ts';
import { type Scam, scams } from './flow-scams.ts';
import type { Guardian, Household } from './household.ts';
import { allow, answer, expectWaiting, protection, startAndExpectEnd, startAndExpectRunning } from './steps.ts';
import type { Way } from './way.ts';

/** After the stop the caller has the victim press *Allow*; four endings for each scam. */

interface Asked {
  household: Household;
  bob: Guardian;
  scam: Scam;
  /** What was in force before the victim pressed *Allow*. */
  before: Awaited<ReturnType<typeof protection>>;
}

/** The program was stopped, the victim has pressed *Allow* without an end, and her screen waits for Bob. */
async function stoppedAndAsked(household: Household, scam: Scam): Promise<Asked> {
  const { bob } = household;
  if (!bob) throw new Error('These ways need a guardian.');
  await startAndExpectEnd(household, scam.programs[0]);
  const before = await protection(household);
  await allow(household, scam.definition, 'until I remove it');
  await expectWaiting(household);
  await expectUnchanged({ household, bob, scam, before });
  return { household, bob, scam, before };
}

/** Nothing is allowed, and the program ends as before. */
async function expectUnchanged({ household, scam, before }: Asked): Promise<void> {
  expect(await protection(household)).toEqual(before);
  await startAndExpectEnd(household, scam.programs[0]);
}

const wants = ({ definition }: Scam) => new RegExp(`wants to allow ${definition} on Den PC`);

/** Bob's yes lets exactly this program through, and for an hour at most. */
async function expectAnHour({ household, bob, scam, before }: Asked): Promise<void> {
  const { dashboard, computer, pass } = household;
  await answer(bob, wants(scam), 'yes');
  await expect(dashboard.getByRole('dialog')).toHaveCount(0);
  expect(await protection(household)).toEqual({ ...before, allowed: [scam.definition] });
  // The agent receives its policy some moments after the server has it.
  let pid = 0;
  await expect(async () => {
    pid = await startAndExpectRunning(household, scam.programs[0]);
  }).toPass({ timeout: 10_000 });
  await pass(61 * minute);
  await expect.poll(() => computer.windows.isRunning(pid), { message: 'the end after an hour', timeout: 10_000 }).toBe(false);
  await expectUnchanged({ household, bob, scam, before });
}

const endings: { title: string; short?: number; run(asked: Asked): Promise<void> }[] = [
  {
    title: 'Bob never answers',
    short: 1,
    async run(asked) {
      const { household, scam } = asked;
      const { town, ann, dashboard, pass } = household;
      await pass(3 * hour);
      // With the password too.
      await call(town.world.url, 'POST /web/reauthenticate', { token: ann.token, body: { password: ann.password } });
      await allow(household, scam.definition, 'until I remove it');
      await expectWaiting(household);
      await expect(dashboard.getByRole('dialog').getByLabel('Password')).toHaveCount(0);
      await expectUnchanged(asked);
    },
  },
  {
    title: 'Bob says yes after 50 minutes',
    async run(asked) {
      await asked.household.pass(50 * minute);
      await expectWaiting(asked.household);
      await expectUnchanged(asked);
      await expectAnHour(asked);
    },
  },
  { title: 'Bob says yes at once', run: expectAnHour },
  {
    title: 'Bob says no',
    short: 6,
    async run(asked) {
      const { household, bob, scam } = asked;
      const { dashboard, pass } = household;
      const refused = dashboard.getByRole('dialog', { name: 'Bob said no' });
      await answer(bob, wants(scam), 'no');
      await expect(refused).toContainText('Nothing has changed.');
      await expectUnchanged(asked);
      await pass(23 * hour);
      await allow(household, scam.definition, 'until I remove it');
      await expect(refused).toContainText('Nothing has changed.');
      await expectUnchanged(asked);
    },
  },
];

export const flowAnswers: Way[] = scams.flatMap((scam) =>
  endings.map(
    ({ title, short, run }): Way => ({
      title: `${scam.title}; then the victim presses Allow, and ${title}`,
      ...{ flow: scam.flow, outcome: 'held' },
      ...(short === scam.flow ? { short: true } : {}),
      run: async (household) => run(await stoppedAndAsked(household, scam)),
    }),
  ),
);
