import { expect } from '@playwright/test';
import { bankSupport } from './flow-unlisted.ts';
import {
  chooseProgram,
  expectMail,
  expectOpen,
  incidentsOf,
  type Program,
  protection,
  startAndExpectEnd,
  startAndExpectRunning,
} from './steps.ts';
import type { Way } from './way.ts';

/** The parts of the scams that happen: each way must change on the day on which its part is stopped. */

/** What the victim opens and starts, without anything that stops her. */
const gaps: { flow: number; title: string; sites?: string[]; programs?: Program[] }[] = [
  {
    flow: 1,
    title: 'The victim opens a full-screen warning whose name is on no list',
    sites: ['alert-4402.example.net'],
  },
  {
    flow: 5,
    title: 'The caller has the victim start a program of the gang’s own under the name of a bank',
    programs: [bankSupport],
  },
  {
    flow: 9,
    title: 'The caller has the victim share the screen in the browser by Meet, Zoom, Teams, WhatsApp or Discord',
    sites: ['meet.google.com', 'app.zoom.us', 'teams.microsoft.com', 'web.whatsapp.com', 'discord.com'],
  },
  {
    flow: 10,
    title: 'The caller has the victim share the screen and hand over the mouse in the programs of Zoom or Teams',
    programs: [
      {
        ...{ name: 'Zoom.exe', path: 'C:\\Users\\Ann\\AppData\\Roaming\\Zoom\\bin\\Zoom.exe', original_name: 'Zoom', product: 'Zoom' },
        ...{ company: 'Zoom Video Communications, Inc.', signer: 'Zoom Video Communications, Inc.' },
      },
      {
        ...{ name: 'ms-teams.exe', path: 'C:\\Program Files\\WindowsApps\\MSTeams_24335_x64__8wekyb3d8bbwe\\ms-teams.exe' },
        ...{ product: 'Microsoft Teams', company: 'Microsoft Corporation', signer: 'Microsoft Corporation' },
      },
    ],
  },
  {
    flow: 13,
    title: 'The caller of “the bank” has the victim open her own bank and send the money to a safe account',
    sites: ['www.chase.com', 'www.wellsfargo.com'],
  },
  {
    flow: 15,
    title: 'The caller has the victim search for a Bitcoin machine and open an exchange',
    sites: ['bitcoindepot.com', 'www.coinbase.com'],
  },
  {
    flow: 16,
    title: 'The caller has the victim buy gift cards on the internet',
    sites: ['www.giftcards.com', 'www.apple.com'],
  },
  {
    flow: 17,
    title: 'The victim opens a page with a false support number whose name is on no list',
    sites: ['printer-offline-fix.example.net'],
  },
  {
    flow: 22,
    title: 'The caller has the victim type a code into the real sign-in page of Microsoft',
    sites: ['login.microsoftonline.com', 'www.microsoft.com'],
  },
  {
    flow: 25,
    title: 'The victim opens an investment site whose name is on no list and looks like no other',
    sites: ['quartz-yield-desk.example.net'],
  },
  {
    flow: 26,
    title: 'The victim writes to a love whom nobody has met, on a dating site and in Messenger',
    sites: ['www.match.com', 'www.messenger.com'],
  },
  {
    flow: 27,
    title: 'The victim is given tasks to do in WhatsApp and Telegram',
    sites: ['web.whatsapp.com', 'web.telegram.org'],
  },
  {
    flow: 29,
    title: 'The victim opens a sign-in page whose name is on no list and looks like no other',
    sites: ['account-review-4402.example.net'],
  },
  {
    flow: 30,
    title: 'The victim opens a shop that does not exist, whose name is on no list',
    sites: ['winter-coats-outlet.example.net'],
  },
];

const others: Way[] = [
  {
    title: 'The page that sold Reimage has the victim press Allow after the stop',
    flow: 18,
    outcome: 'reported',
    async run(household) {
      const program = { name: 'ReimageRepair.exe', product: 'Reimage Repair', signer: 'Reimage Limited' };
      await startAndExpectEnd(household, program);
      const before = await protection(household);
      const allowed = Date.now();
      await chooseProgram(household, 'Reimage Repair');
      await expect(household.dashboard.getByRole('dialog')).toHaveCount(0);
      await expect.poll(() => protection(household)).toEqual({ ...before, allowed: ['Reimage Repair'] });
      const bob = household.bob?.email ?? '';
      await expectMail(household, bob, /^Ann allowed Reimage Repair on Den PC$/, { since: allowed });
    },
  },
];

export const flowGaps: Way[] = [
  ...gaps.map(
    ({ flow, title, sites = [], programs = [] }): Way => ({
      ...{ flow, title, outcome: 'missed' },
      async run(household) {
        await expectOpen(household, sites);
        for (const program of programs) await startAndExpectRunning(household, program);
        expect(await incidentsOf(household), 'incidents').toEqual([]);
      },
    }),
  ),
  ...others,
];
