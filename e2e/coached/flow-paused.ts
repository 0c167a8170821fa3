import { expect } from '@playwright/test';
import { minute } from '@porchlight/contract/time.ts';
import { stopAnyDesk } from './flow-unlisted.ts';
import type { Household } from './household.ts';
import { answer, expectBlocked, expectMail, expectOpen, incidentsOf } from './steps.ts';
import type { Way } from './way.ts';

/** Pages of the scams whose name only looks like a well-known one (P16.2). */

/** The victim opens the page, and reads in the agent's window whose name it looks like. */
async function openPaused(household: Household, site: string, brand: string): Promise<void> {
  const { computer, window } = household;
  await expectBlocked(household, [site]);
  await computer.open(window);
  await expect(window.getByRole('heading', { name: `This isn’t really ${brand}, as far as we can tell` })).toBeVisible();
}

export const flowPaused: Way[] = [
  {
    title: 'The victim opens the page of a text about an unpaid toll, a parcel or a fine, whose name looks like the real one',
    flow: 21,
    outcome: 'stopped',
    run: (household) => expectBlocked(household, ['e-zpass.com-etcbx.top', 'usps.com-redeliveryq.cc', 'irs.gov-refund.top']),
  },
  {
    title: 'The victim opens an exchange or a wallet for an investment, whose name looks like the real one',
    flow: 25,
    outcome: 'stopped',
    run: (household) => expectBlocked(household, ['coinbase-verify.top', 'ledger-wallet-verify.pages.dev']),
  },
  {
    title: 'The victim opens the sign-in page of a message, whose name looks like that of her bank or mail',
    flow: 29,
    outcome: 'stopped',
    run: (household) => expectBlocked(household, ['wellsfargo-alert-login.com', 'paypa1.com', 'appleid-locked.top']),
  },
  {
    title: 'The victim presses Open it for an hour for the page of a text, whose name looks like the real one',
    flow: 21,
    outcome: 'missed',
    async run(household) {
      const site = 'usps.com-redeliveryq.cc';
      await openPaused(household, site, 'USPS');
      await household.window.getByRole('button', { name: 'Open it for an hour' }).click();
      await expect.poll(() => household.resolve(site), { message: `the address of ${site}` }).toBe('192.0.2.1');
      await expectBlocked(household, ['e-zpass.com-etcbx.top']);
      expect(await incidentsOf(household), 'incidents').toEqual([]);
    },
  },
  {
    title: 'The caller whose AnyDesk was stopped has the victim press for a page whose name looks like that of her bank',
    flow: 29,
    outcome: 'held',
    async run(household) {
      const { bob, computer, window, pass } = household;
      const site = 'chase-alert-login.com';
      await stopAnyDesk(household);
      await expectBlocked(household, ['coinbase-verify.top']);
      // For ten minutes the window speaks of the program alone.
      await computer.open(window);
      await expect(window.getByRole('heading', { level: 1 })).toContainText('AnyDesk');
      for (const name of ['Open it for an hour', 'Ask Bob to open it']) await expect(window.getByRole('button', { name })).toHaveCount(0);
      await computer.passes(11 * minute);
      await openPaused(household, site, 'Chase');
      await expect(window.getByRole('button', { name: 'Open it for an hour' })).toHaveCount(0);
      const pressed = Date.now();
      await window.getByRole('button', { name: 'Ask Bob to open it' }).click();
      await expectMail(household, bob?.email ?? '', new RegExp(`wants to open ${site}`), { since: pressed });
      await pass(180 * minute);
      await expectBlocked(household, [site]);
      if (bob) await answer(bob, new RegExp(site), 'no');
      await expect(window.getByText('Someone said no, so it stays closed.')).toBeVisible();
      await expectBlocked(household, [site]);
      await expectOpen(household, ['www.apple.com']);
    },
  },
];
