import { expect, type Page } from '@playwright/test';
import { minute } from '@porchlight/contract/time.ts';
import { passEscalationTime } from '@porchlight/dev/escalation-time.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from './lib/accessibility.ts';
import { pageOf, reportAlert } from './lib/accounts.ts';
import { inDatabase } from './lib/database.ts';
import { inviteGuardian } from './lib/guardians.ts';
import { linkedDevice, registeredPerson } from './lib/people.ts';
import { answerPermission } from './lib/push.ts';
import { linkIn, mailTo } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** The tests build on each other. */
test.describe.configure({ mode: 'serial' });

const bobEmail = 'bob@example.org';
const bobsNumber = '+12025550101';
const annsNumber = '+12025550103';
let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});
let ann: Person;
let annPage: Page;
let bobPage: Page;
let mailbox: Page;
test.beforeAll(async ({ browser }) => {
  ann = await registeredPerson(world);
  const device = await linkedDevice(world, ann);
  [annPage, bobPage, mailbox] = [await pageOf(browser, world, ann), await pageOf(browser, world, null), await pageOf(browser, world, null)];
  await answerPermission(bobPage, 'granted');
  await inviteGuardian(bobPage, world, ann, 'Bob', bobEmail);
  await bobPage.getByRole('button', { name: 'Turn alerts on' }).first().click();
  await expect(bobPage.getByText(/^Alerts are on\./)).toBeVisible();
  // Bob has been a guardian with this number for long, and Ann has agreed to be called.
  await inDatabase(world, async (db) => {
    const longAgo = new Date(Date.now() - 100 * 60 * minute);
    const phone = { phone_number_verified: true, phone_verified_time: longAgo };
    await db
      .updateTable('guardians')
      .set({ ...phone, accepted: longAgo, phone_number: bobsNumber })
      .execute();
    await db
      .updateTable('accounts')
      .set({ ...phone, phone_number: annsNumber })
      .execute();
    const asked = new Date();
    await db.insertInto('call_consents').values({ device: device.uuid, phone_number: annsNumber, asked, agreed: asked }).execute();
  });
  await reportAlert(world, device);
  const key = world.simulatorCookie().cookie.split('=')[1];
  await mailbox.goto(`${world.mailboxUrl}?key=${key}`);
});

const pass = (ms: number) => inDatabase(world, (db) => passEscalationTime(db, ms));
/** An entry of the mailbox, which loads again by itself only every few seconds. */
const entry = async (name: RegExp | string) => {
  const link = mailbox.getByRole('link', { name }).first();
  await expect(async () => {
    await mailbox.goto(world.mailboxUrl);
    await expect(link).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 20_000 });
  return link;
};
const open = async (name: RegExp | string) => (await entry(name)).click();
const whoKnows = (page: Page) => page.getByRole('region', { name: 'Who knows' });
const happened = (page: Page) => page.getByRole('region', { name: 'What happened' });

test('a stopped program is in the mailbox as email, text and notification, and the page says what comes next [P11.1]', async () => {
  await entry(/Den PC.*to bob@example\.org/);
  await open(`to ${bobsNumber}`);
  await expect(mailbox.getByText("Reply 1 if you're on it.")).toBeVisible();
  await entry(/^Notification: .*AnyDesk/);
  await bobPage.goto(linkIn(await mailTo(world, bobEmail, /AnyDesk/)));
  await annPage.goto(world.dashboardUrl);
  await annPage.getByRole('link', { name: 'See what happened' }).click({ timeout: 30_000 });
  await expect(whoKnows(annPage)).toContainText(/Nobody has answered yet\. At \d+:\d\d [AP]M, we write to everyone again\./);
  await expect(whoKnows(annPage)).toContainText('Bob by email, text, and notification');
  await checkScreen(annPage);
});

test('nobody answers: messages again, calls to Bob, and a call to Ann on her own phone [P11.1]', async () => {
  await pass(3 * minute);
  await entry(/Nobody has answered yet: Den PC.*to bob@example\.org/);
  await expect(whoKnows(annPage)).toContainText(/At \d+:\d\d [AP]M, we call Bob\./, { timeout: 20_000 });
  await pass(3 * minute);
  await open(/Phone is ringing/);
  await mailbox.getByRole('button', { name: 'Let it ring out' }).click();
  await expect(mailbox.getByRole('status')).toHaveText('Nobody picked up.');
  await pass(4 * minute);
  await open(new RegExp(`Phone is ringing.*${annsNumber.slice(1)}`));
  await mailbox.getByRole('button', { name: 'Pick up' }).click();
  await expect(mailbox.getByText('If you are talking to someone about it, hang up on them.')).toBeVisible();
  await expect(mailbox.getByText('We never ask you for anything.')).toBeVisible();
  // Bob's phone rings at the same time, and not for long.
  await open(new RegExp(`Phone is ringing.*${bobsNumber.slice(1)}`));
  await mailbox.getByRole('button', { name: 'Pick up' }).click();
  await expect(mailbox.getByText('Press 1 if you are on it.').first()).toBeVisible();
  await mailbox.getByRole('button', { name: 'Press 1' }).click();
  await expect(mailbox.getByText('Thank you. You are on it.')).toBeVisible();
});

test('after Bob has pressed 1 in the second call everything stops, and the page shows each step [P11.1]', async () => {
  await expect(whoKnows(annPage)).toContainText('Bob is on it', { timeout: 20_000 });
  await expect(whoKnows(annPage)).not.toContainText('Nobody has answered');
  await expect(happened(annPage)).toContainText('We called Bob. Nobody picked up.');
  await expect(happened(annPage)).toContainText('We called Bob. They pressed 1.');
  await expect(happened(annPage)).toContainText('We called Ann on their own phone. They picked up, and heard our warning.');
  await checkScreen(annPage);
  await pass(20 * minute);
  await mailbox.goto(world.mailboxUrl);
  await expect(mailbox.getByRole('link', { name: /Phone is ringing/ })).toHaveCount(0);
});
