import { expect } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { linkIn, mailTo } from '../lib/screens.ts';
import type { Guardian, Household } from './household.ts';
import { allow, chooseProfile, type protection } from './steps.ts';

type Protection = Awaited<ReturnType<typeof protection>>;

/** One change on the dashboard that weakens protection. */
export interface Weakening {
  /** Follows `The victim`. */
  title: string;
  /** What must be so before. Without trouble, and before the change is measured. */
  prepare?(household: Household): Promise<void>;
  attempt(household: Household): Promise<void>;
  /** The question on Bob’s page, which the email about it has in its subject. */
  wants: RegExp;
  /** The subject of the email to Bob after it happened. */
  happened: RegExp;
  /** What is different afterwards. */
  becomes(before: Protection): { [Key in keyof Protection]?: unknown };
}

const go = ({ town, dashboard }: Household, path: string) => dashboard.goto(`${town.world.dashboardUrl}${path}`);

export async function removeBob(household: Household): Promise<void> {
  await go(household, '/profile/guardians');
  await household.dashboard.getByTitle('Remove Bob as a guardian', { exact: true }).click();
  await household.dashboard.getByRole('dialog', { name: 'Remove Guardian?' }).getByRole('button', { name: 'Remove' }).click();
}

export async function inviteOnScreen(household: Household, name: string, email: string): Promise<void> {
  await go(household, '/profile/guardians');
  const form = household.dashboard.getByRole('form', { name: 'Add a Guardian' });
  await form.getByLabel('Name').fill(name);
  await form.getByLabel('Email', { exact: true }).fill(email);
  await form.getByLabel('Confirm Email').fill(email);
  await form.getByRole('button', { name: 'Add Guardian' }).click();
}

export async function removeComputer(household: Household): Promise<void> {
  const { dashboard, device } = household;
  await go(household, `/devices/${device}/remove-device`);
  await dashboard.getByRole('checkbox', { name: 'I understand that this will remove protection' }).check();
  dashboard.once('dialog', (question) => void question.accept());
  await dashboard.getByRole('button', { name: 'Remove Device', exact: true }).click();
}

/** Says that Eve uses the computer, not the holder. */
export async function nameSomeoneElse(household: Household): Promise<void> {
  const { dashboard, device } = household;
  await go(household, `/devices/${device}`);
  await dashboard
    .getByRole('group', { name: 'Who uses this computer?' })
    .getByRole('radio', { name: /^Someone else/ })
    .check();
  await dashboard.getByLabel('Their name (optional)').fill('Eve');
  await dashboard.getByRole('button', { name: 'Save', exact: true }).click();
}

async function saveProfile(household: Household, field: 'Email' | 'Phone number', value: string): Promise<void> {
  const { ann, dashboard } = household;
  await go(household, '/profile');
  await dashboard.getByRole('textbox', { name: field }).fill(value);
  await dashboard.getByRole('button', { name: 'Save Profile' }).click();
  const ask = dashboard.getByRole('dialog', { name: 'Confirm with your password' });
  await ask.getByLabel('Password', { exact: true }).fill(ann.password);
  await ask.getByRole('button', { name: 'Confirm' }).click();
}

export const evesEmail = ({ ann }: Household) => `eve-${ann.email}`;
const othersEmail = ({ ann }: Household) => `new-${ann.email}`;

/** The changes of P10.4 on the dashboard, each of which is notified at once. */
export const notifiedWeakenings: Weakening[] = [
  {
    title: 'allows a remote-control program',
    attempt: (household) => allow(household, 'AnyDesk'),
    wants: /Ann wants to allow AnyDesk on Den PC/,
    happened: /^Ann allowed AnyDesk on Den PC/,
    becomes: () => ({ allowed: ['AnyDesk'] }),
  },
  {
    title: 'chooses a weaker profile',
    attempt: (household) => chooseProfile(household, 'Permissive'),
    wants: /Ann wants to put Den PC on Permissive/,
    happened: /^Ann put Den PC on Permissive/,
    becomes: ({ devices }) => ({ devices: devices.map((device) => ({ ...device, policy: 'permissive' })) }),
  },
  {
    title: 'reads the Admin PIN to the caller',
    attempt: (household) => go(household, '/profile/admin-pin').then(() => {}),
    wants: /Ann wants to see the Admin PIN/,
    happened: /^Ann looked at the Admin PIN/,
    // There is none before somebody wants to see it.
    becomes: () => ({ pin: expect.any(String) }),
  },
  {
    title: 'makes a new Admin PIN',
    async attempt(household) {
      const { dashboard } = household;
      // Opening the page shows the PIN, which waits in an incident.
      await dashboard.route('**/api/web/bypasspassword', (route) =>
        route.request().method() === 'GET' ? route.abort() : route.continue(),
      );
      await go(household, '/profile/admin-pin');
      await dashboard.getByRole('button', { name: 'Reset Admin PIN' }).click();
      await dashboard.getByRole('dialog', { name: 'Reset Admin PIN?' }).getByRole('button', { name: 'Confirm' }).click();
    },
    wants: /Ann wants to make a new Admin PIN/,
    happened: /^Ann made a new Admin PIN/,
    becomes: ({ pin }) => ({ pin: expect.not.stringContaining(pin) }),
  },
  {
    title: 'removes the guardian',
    attempt: removeBob,
    wants: /Ann wants to remove Bob as a guardian/,
    happened: /^Ann removed you as a guardian/,
    becomes: () => ({ guardians: [] }),
  },
  {
    title: 'adds the caller as a guardian',
    attempt: (household) => inviteOnScreen(household, 'Eve', evesEmail(household)),
    wants: /Ann wants to ask Eve to be a guardian/,
    happened: /^Ann asked Eve to be a guardian/,
    becomes: ({ guardians }) => ({ guardians: [...guardians, { email: expect.stringMatching(/^eve-/), state: 'pending' }] }),
  },
  {
    title: 'removes the computer from the account',
    attempt: removeComputer,
    wants: /Ann wants to remove Den PC from the account/,
    happened: /^Ann removed Den PC from the account/,
    becomes: () => ({ devices: [] }),
  },
  {
    title: 'says that somebody else uses the computer',
    attempt: nameSomeoneElse,
    wants: /Ann wants to change who uses Den PC to Eve/,
    happened: /^Ann changed who uses Den PC to Eve/,
    becomes: ({ devices }) => ({ devices: devices.map((device) => ({ ...device, person: 'Eve' })) }),
  },
  {
    title: 'switches the alerts off',
    async attempt(household) {
      await go(household, '/profile/alerts');
      const form = household.dashboard.getByRole('form', { name: 'How we reach you' });
      await form.getByRole('checkbox', { name: 'By email' }).uncheck();
      await form.getByRole('button', { name: 'Save' }).click();
    },
    wants: /Ann wants to turn off .* about threats/,
    happened: /^Ann turned off .* about threats/,
    becomes: ({ alerts }) => ({ alerts: { ...alerts, mail: false } }),
  },
];

/** What else waits in an incident; without one these may be gathered. */
const gatheredWeakenings: Weakening[] = [
  {
    title: 'has a silent computer noticed only after a week',
    async attempt(household) {
      await go(household, '/profile/alerts');
      const form = household.dashboard.getByRole('form', { name: 'How we reach you' });
      await form.getByRole('radio', { name: '7 days' }).check();
      await form.getByRole('button', { name: 'Save' }).click();
    },
    wants: /Ann wants to hear of a silent device only after/,
    happened: /^Ann chose to hear of a silent device only after/,
    becomes: ({ alerts }) => ({ alerts: { ...alerts, notify_after_days: 7 } }),
  },
  {
    title: 'gives another phone number',
    async prepare({ town, ann }) {
      const body = { phone_number: '+12025550143', current_password: ann.password };
      await call(town.world.url, 'PATCH /web/profile', { token: ann.token, body });
    },
    attempt: (household) => saveProfile(household, 'Phone number', '+12025550178'),
    wants: /Ann wants to change the account’s phone number/,
    happened: /^Ann changed the phone number/,
    becomes: () => ({ phone_number: '+12025550178' }),
  },
  {
    title: 'confirms another email address',
    async prepare(household) {
      await saveProfile(household, 'Email', othersEmail(household));
      await mailTo(household.town.world, othersEmail(household), /new email address/);
    },
    async attempt(household) {
      const { dashboard, town } = household;
      await dashboard.goto(linkIn(await mailTo(town.world, othersEmail(household), /new email address/)));
      await dashboard.getByRole('button', { name: 'Confirm my new email address' }).click();
    },
    wants: /Ann wants to change the account’s email address/,
    happened: /^Ann changed the email address/,
    becomes: () => ({ email: expect.stringMatching(/^new-/) }),
  },
  {
    title: 'switches browser protection off',
    async attempt(household) {
      await go(household, '/policies');
      await household.dashboard.getByRole('switch', { name: 'Protect web browsers', exact: true }).click();
      const confirm = household.dashboard.getByRole('dialog').getByRole('button').first();
      await confirm.click();
    },
    wants: /Ann wants to turn off browser protection/,
    happened: /^Ann turned off browser protection/,
    becomes: ({ browsing }) => ({ browsing: { ...browsing, browsers: false } }),
  },
  {
    title: 'switches Ask first off',
    async prepare({ town, ann }) {
      await call(town.world.url, 'PATCH /web/holding', { token: ann.token, body: { ask_first: true } });
    },
    async attempt(household) {
      await go(household, '/profile/alerts');
      const section = household.dashboard.getByRole('region', { name: 'Ask first' });
      await section.getByRole('switch').click();
      await household.dashboard.getByRole('button', { name: 'Stop asking first' }).click();
    },
    wants: /Ann wants to turn off Ask first/,
    happened: /^Ann turned off Ask first/,
    becomes: () => ({ ask_first: false }),
  },
];

export const weakenings: Weakening[] = [...notifiedWeakenings, ...gatheredWeakenings];

/** How many emails Bob has about a question. */
export const emailsTo = async ({ town }: Pick<Household, 'town'>, bob: Pick<Guardian, 'email'>, subject: RegExp): Promise<number> =>
  (await town.world.mailbox()).filter((mail) => mail.to.includes(bob.email) && subject.test(mail.subject)).length;
