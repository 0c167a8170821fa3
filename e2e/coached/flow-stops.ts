import { expect } from '@playwright/test';
import { day, minute } from '@porchlight/contract/time.ts';
import { type Scam, scams } from './flow-scams.ts';
import { bankSupport, stopAnyDesk } from './flow-unlisted.ts';
import type { Household } from './household.ts';
import { expectBlocked, expectMail, expectOpenIncident, incidentsOf, startAndExpectEnd } from './steps.ts';
import type { Way } from './way.ts';

/** The victim opens the page and starts the programs. Bob hears of the first program at once. */
async function opensAndStarts(household: Household, { page, programs: [first, ...others], sites, definition }: Scam): Promise<void> {
  if (page) await expectBlocked(household, [page]);
  const started = Date.now();
  await startAndExpectEnd(household, first);
  await expectMail(household, bobs(household), blocked(definition), { since: started });
  for (const program of others) await startAndExpectEnd(household, program);
  await expectBlocked(household, sites);
}

const bobs = ({ bob }: Household) => bob?.email ?? '';
const blocked = (what: string) => new RegExp(`^Ann may need you: ${what} was blocked on Den PC$`);

const stops = scams.map(
  (scam): Way => ({
    ...{ title: scam.title, flow: scam.flow, outcome: 'stopped' },
    ...(scam.flow === 3 ? { short: true } : {}),
    run: (household) => opensAndStarts(household, scam),
  }),
);

/** Callers who come back, and scams of which the sites alone are stopped. */
const others: Way[] = [
  {
    title: 'The caller has the victim open the download page of AnyDesk, and a minute later start a copy from somewhere else',
    flow: 1,
    outcome: 'stopped',
    async run(household) {
      const opened = Date.now();
      await expectBlocked(household, ['download.anydesk.com']);
      await expectMail(household, bobs(household), blocked('anydesk.com'), { since: opened });
      await household.pass(minute);
      const started = Date.now();
      await startAndExpectEnd(household, { name: 'AnyDesk.exe', signer: 'AnyDesk Software GmbH' });
      await expectOpenIncident(household);
      await expectMail(household, bobs(household), blocked('AnyDesk'), { since: started });
    },
  },
  {
    title: 'The three callers come back on the third day and have the victim start AnyDesk after TeamViewer',
    flow: 14,
    outcome: 'stopped',
    short: true,
    async run(household) {
      const { ann, pass } = household;
      await startAndExpectEnd(household, { name: 'TeamViewerQS.exe', signer: 'TeamViewer Germany GmbH' });
      await expectOpenIncident(household);
      const [first] = await incidentsOf(household);
      const dayAfter = Date.now();
      await pass(day);
      for (const address of [bobs(household), ann.email])
        await expectMail(household, address, /^How did it go on Den PC\?$/, { since: dayAfter, limit: 30_000 });
      await pass(2 * day);
      expect((await incidentsOf(household)).map(({ uuid, state }) => [uuid, state])).toEqual([[first?.uuid, 'watched']]);
      await startAndExpectEnd(household, { name: 'AnyDesk.exe', signer: 'AnyDesk Software GmbH' });
      const again = async () => (await incidentsOf(household)).map(({ uuid, state }) => [uuid, state]);
      await expect.poll(again, { message: 'the same incident, open again' }).toEqual([[first?.uuid, 'open']]);
    },
  },
  {
    title: 'The victim starts a program of false IT support that was made for scammers, TrustConnect',
    flow: 5,
    outcome: 'stopped',
    async run(household) {
      await expectBlocked(household, ['trustconnectsoftware.com']);
      await startAndExpectEnd(household, { name: 'Statement.exe', product: 'TrustConnect', signer: 'TrustConnect Software PTY LTD' });
    },
  },
  {
    title: 'The victim opens the “invoice” of an email, a renamed installer of which only the signature is known',
    flow: 4,
    outcome: 'stopped',
    async run(household) {
      for (const signer of ['Datto, LLC', 'Kaseya US LLC', 'BeyondTrust Corporation'])
        await startAndExpectEnd(household, { name: `Invoice_${signer.length}.exe`, signer });
    },
  },
  {
    title: 'The caller has the victim start a RustDesk that was built under the name of a bank, with the library that it brings',
    flow: 5,
    outcome: 'stopped',
    async run(household) {
      await startAndExpectEnd(household, { ...bankSupport, libraries: ['librustdesk.dll'] });
    },
  },
  {
    title: 'The caller has the victim share the screen in the browser by Getscreen, Zoho Assist or HopToDesk',
    flow: 9,
    outcome: 'stopped',
    run: (household) => expectBlocked(household, ['getscreen.me', 'assist.zoho.com', 'hoptodesk.com']),
  },
  {
    title: 'The caller has the victim accept remote help in the browser itself, which its policies refuse',
    flow: 8,
    outcome: 'stopped',
    async run({ computer }) {
      const refused = { RemoteAccessHostAllowRemoteSupportConnections: false, RemoteAccessHostAllowRemoteAccessConnections: false };
      await expect.poll(() => computer.windows.browserPolicies()).toMatchObject(refused);
    },
  },
  {
    title: 'The victim opens pages that are on the list of scam sites',
    flow: 17,
    outcome: 'stopped',
    // Names of the first list, which ships with the server.
    run: (household) => expectBlocked(household, ['0-google.com', 'www.007-dvd.com']),
  },
  {
    title: 'The victim opens a page with a false support number whose name is like those of earlier ones',
    flow: 17,
    outcome: 'stopped',
    run: (household) => expectBlocked(household, ['www.printersupportpro-help.us', 'email-supportnumber.com']),
  },
  {
    title: 'The caller about the “renewal” of a bill has the victim start Zoho Assist',
    flow: 33,
    outcome: 'stopped',
    async run(household) {
      await startAndExpectEnd(household, { name: 'ZA_Connect.exe', product: 'Zoho Assist', signer: 'ZOHO Corporation Private Limited' });
      await expectBlocked(household, ['assist.zoho.com']);
    },
  },
  {
    title: 'The victim opens a page that sends false virus warnings as notifications, and starts what they praise',
    flow: 18,
    outcome: 'stopped',
    async run(household) {
      await expect.poll(() => household.computer.windows.browserPolicies()).toMatchObject({ DefaultNotificationsSetting: 2 });
      await expectBlocked(household, ['reimageplus.com']);
      await startAndExpectEnd(household, { name: 'ReimageRepair.exe', product: 'Reimage Repair', signer: 'Reimage Limited' });
    },
  },
  {
    title: 'The caller whose AnyDesk was stopped has the victim add an extension to the browser, which its policies refuse',
    flow: 32,
    outcome: 'stopped',
    async run(household) {
      const { windows } = household.computer;
      expect(await windows.browserPolicies()).not.toHaveProperty('URLBlocklist');
      await stopAnyDesk(household);
      const stores = expect.arrayContaining(['chromewebstore.google.com', 'microsoftedge.microsoft.com/addons']);
      await expect.poll(() => windows.browserPolicies()).toMatchObject({ URLBlocklist: stores });
    },
  },
  {
    title: 'The victim pastes a command into the Run box, and it starts NetSupport under another name',
    flow: 19,
    outcome: 'stopped',
    async run(household) {
      const metadata = { original_name: 'client32.exe', product: 'NetSupport Remote Control', signer: 'NETSUPPORT LTD.' };
      await startAndExpectEnd(household, {
        name: 'WinSvcHelper.exe',
        path: 'C:\\Users\\Ann\\AppData\\Roaming\\WinSvcHelper.exe',
        ...metadata,
      });
    },
  },
];

export const flowStops: Way[] = [...stops, ...others];
