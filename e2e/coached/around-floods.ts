import { expect } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { bobOf, expectAsked, expectUnchanged, requestsOf, stopAnyDesk } from './around-steps.ts';
import { emailsTo, evesEmail, inviteOnScreen, removeBob } from './around-weakenings.ts';
import type { Household } from './household.ts';
import { allow, answer, chooseProfile } from './steps.ts';
import type { Way } from './way.ts';

/** Whatever is done again and again, until Bob stops reading. */

const choosePermissive = ({ town, ann, device }: Household) =>
  call(town.world.url, 'POST /web/devices/:uuid', {
    token: ann.token,
    params: { uuid: device },
    body: { name: 'Den PC', policy: 'permissive' },
  });

export const floodWays: Way[] = [
  {
    title: 'The victim asks for the same weaker profile thirty times after a program was stopped',
    flow: null,
    outcome: 'held',
    async run(household) {
      const incident = await stopAnyDesk(household);
      const wants = /Ann wants to put Den PC on Permissive/;
      await expectUnchanged(household, async () => {
        for (let tries = 0; tries < 30; tries += 1) await expect(choosePermissive(household)).rejects.toMatchObject({ code: 'held' });
        expect(await requestsOf(household, incident)).toHaveLength(1);
        await answer(bobOf(household), wants, 'no');
        // After a no the same call is still refused, and asks nobody again.
        for (let tries = 0; tries < 5; tries += 1) await expect(choosePermissive(household)).rejects.toMatchObject({ code: 'held' });
      });
      expect((await requestsOf(household, incident)).map(({ state }) => state)).toEqual(['no']);
      expect(await emailsTo(household, bobOf(household), wants), 'emails to Bob').toBe(1);
    },
  },
  {
    title: 'The victim asks for five different changes after a program was stopped, and Bob is asked about three',
    flow: null,
    outcome: 'held',
    async run(household) {
      const { dashboard } = household;
      const incident = await stopAnyDesk(household);
      await expectUnchanged(household, async () => {
        for (const attempt of [
          () => allow(household, 'AnyDesk'),
          () => chooseProfile(household, 'Permissive'),
          () => removeBob(household),
        ]) {
          await attempt();
          await expectAsked(household);
        }
        const refused = 'Three changes already wait for an answer. Wait for that before you make another one.';
        await inviteOnScreen(household, 'Eve', evesEmail(household));
        await expect(dashboard.getByText(refused).first()).toBeVisible();
        await allow(household, 'TeamViewer');
        await expect(dashboard.getByText(refused).first()).toBeVisible();
      });
      expect(await requestsOf(household, incident)).toHaveLength(3);
      await answer(bobOf(household), /Ann wants to remove Bob as a guardian/, 'no');
      expect(await emailsTo(household, bobOf(household), /Ann wants/), 'emails to Bob').toBe(3);
    },
  },
];
