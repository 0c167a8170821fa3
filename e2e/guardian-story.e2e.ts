import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { linkedDevice, type Person, registeredPerson } from '@porchlight/dev/people.ts';
import { startWorld, type World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { pageOf, reportAlert } from './lib/accounts.ts';
import { addGuardian, linkIn, mailTo } from './lib/screens.ts';
import { test } from './lib/test.ts';

/** Two windows side by side: Ann, who is looked after, and Bob, who looks out for her. One story, told in order. */
test.describe.configure({ mode: 'serial' });

const bob = 'bob@example.org';
const number = '+12025550143';
let world: World;
let ann: Person;
let device: { uuid: string; token: string };
let anns: Page;
let bobs: Page;
test.beforeAll(async ({ browser }) => {
  world = await startWorld();
  ann = await registeredPerson(world);
  device = await linkedDevice(world, ann);
  anns = await pageOf(browser, world, ann);
  bobs = await pageOf(browser, world, null);
});
test.afterAll(async () => {
  await world?.close();
});

const texts = async (about: RegExp) => (await world.texts()).filter(({ to, body }) => to === number && about.test(body));
const row = () => anns.getByRole('listitem').filter({ hasText: bob });
const history = () => anns.goto(`${world.dashboardUrl}/devices/${device.uuid}/detections`);

test('Ann asks Bob, and he accepts with one button; her open page shows it', async () => {
  await addGuardian(anns, world, 'Bob', bob);
  await expect(row()).toContainText('Pending');
  await bobs.goto(linkIn(await mailTo(world, bob, /guardian/)));
  await bobs.getByRole('button', { name: 'I will look out' }).click();
  await expect(bobs.getByRole('heading', { level: 1, name: 'Everyone is protected' })).toBeVisible();
  await expect(row().getByText('Active', { exact: true })).toBeVisible({ timeout: 10_000 });
  await expect(row()).toContainText(/By email · Last looked today \d{1,2}:\d\d [AP]M/);
});

test('[6.6] Bob proves his phone by the six digits of the text', async () => {
  const reach = bobs.getByRole('region', { name: 'How we reach you' });
  await reach.getByRole('button', { name: 'Add your phone number' }).click();
  await reach.getByLabel('Phone number', { exact: true }).fill(number);
  await bobs.keyboard.press('Enter');
  await expect.poll(async () => (await texts(/\b\d{6}\b/)).length, { timeout: 15_000 }).toBe(1);
  await reach.getByLabel('The six digits').fill(/\b\d{6}\b/.exec((await texts(/\b\d{6}\b/))[0]?.body ?? '')?.[0] ?? '');
  await bobs.keyboard.press('Enter');
  await expect(reach.getByText(`Texts go to ${number}.`)).toBeVisible();
  await anns.reload();
  await expect(row()).toContainText('By email and text');
});

test('something is blocked: Ann has a mail, Bob a mail and a text, and both pages say the same sentence', async () => {
  await anns.goto(world.dashboardUrl);
  await reportAlert(world, device);
  await mailTo(world, ann.email, /AnyDesk was blocked on Den PC/);
  await mailTo(world, bob, /AnyDesk was blocked on Den PC/);
  await expect.poll(async () => (await texts(/AnyDesk/)).length, { timeout: 15_000 }).toBe(1);
  expect((await texts(/AnyDesk/))[0]?.body).toContain('Ann may need you. AnyDesk was blocked on Den PC');
  const words = /^We stopped AnyDesk on Den PC, today \d{1,2}:\d\d [AP]M$/;
  await expect(anns.getByRole('region', { name: 'Is everyone safe?' }).getByRole('heading')).toHaveText(words, { timeout: 15_000 });
  await expect(bobs.getByRole('heading', { level: 1 })).toHaveText(words, { timeout: 15_000 });
});

test('Bob presses that he is on it, by keyboard alone, and within seconds the open page of Ann says so', async () => {
  await expect(anns.getByText(/Bob saw this/)).toHaveCount(0);
  const button = bobs.getByRole('button', { name: 'I’m on it', exact: true });
  await button.focus();
  await bobs.keyboard.press('Enter');
  const said = bobs.getByRole('status').filter({ hasText: /^\s*You said you are on it, today \d{1,2}:\d\d [AP]M$/ });
  await expect(said.first()).toBeFocused();
  await expect(button).toHaveCount(0);
  await checkScreen(bobs);
  await expect(anns.getByText(/^Bob saw this at \d{1,2}:\d\d [AP]M$/)).toBeVisible({ timeout: 10_000 });
});

test('the alert history says who took care, and who was told how', async () => {
  await history();
  await expect(anns.getByText(/^Bob saw this at \d{1,2}:\d\d [AP]M$/)).toBeVisible();
  await anns.locator('summary').first().click();
  await expect(anns.getByText(/^Bob saw this today \d{1,2}:\d\d [AP]M$/)).toBeVisible();
  await expect(anns.getByText('Told: you by email, Bob by email and text.')).toBeVisible();
  await checkScreen(anns);
});

test('Ann looks at what Bob sees: the same page, marked, and nothing to press; and each time that he looked', async () => {
  await anns.goto(`${world.dashboardUrl}/profile/guardians`);
  await anns.getByRole('link', { name: 'Show me what Bob sees' }).click();
  await expect(anns.getByRole('heading', { level: 1, name: 'What Bob sees' })).toBeVisible();
  const frame = anns.getByRole('region', { name: 'The page of Bob' });
  await expect(frame.getByText('You look out for Ann', { exact: true })).toBeVisible();
  // Of Bob's own number, no more shows than is needed to recognize it.
  await frame.getByRole('heading', { name: 'Your settings' }).click();
  await expect(frame.getByText(/^Texts go to \S+\.$/)).toBeVisible();
  await expect(frame).not.toContainText(number);
  const mine = await frame.getByRole('heading').allTextContents();
  // Where his own page is open is for him alone to see and to end.
  expect(await bobs.getByRole('main').getByRole('heading').allTextContents()).toEqual([...mine, 'Where this page is open']);
  await expect(frame.getByRole('button')).toHaveCount(0);
  await expect(anns.getByRole('region', { name: 'When Bob looked' }).getByRole('listitem')).toHaveText([/^Today \d{1,2}:\d\d [AP]M$/]);
  await checkScreen(anns);
  await checkScreenZoomed(anns);
});

test('a practice alert reaches Ann by email, and Bob by email and text', async () => {
  await anns.goto(`${world.dashboardUrl}/profile/alerts`);
  await anns.getByRole('button', { name: 'Send a practice alert' }).click();
  await anns.getByRole('button', { name: 'Send it' }).click();
  const reached = anns.getByRole('region', { name: 'Practice' }).getByRole('listitem');
  await expect(reached.filter({ hasText: 'Arrived' })).toHaveCount(3, { timeout: 15_000 });
  await expect(reached).toContainText(['You by email', 'Bob by email', 'Bob by text']);
  await mailTo(world, bob, /practice/i);
  await expect.poll(async () => (await texts(/practice/i)).length).toBe(1);
});

test('Ann allows AnyDesk: Bob is told in words, and it stands among what was changed', async () => {
  await call(world.url, 'POST /web/devices/:id/v2/exceptions', {
    token: ann.token,
    params: { id: device.uuid },
    body: { type: 'definition', identifier: 'anydesk' },
  });
  const mail = await mailTo(world, bob, /allowed AnyDesk on Den PC/);
  expect(mail.text).toContain('call Ann');
  await mailTo(world, ann.email, /allowed AnyDesk on Den PC/);
  await anns.reload();
  await expect(anns.getByRole('region', { name: 'What was changed' }).getByRole('listitem').first()).toContainText(
    'Ann allowed AnyDesk on Den PC.',
  );
});

test('[6.6] Bob stops, and Ann sees it', async () => {
  const stop = bobs.getByRole('button', { name: 'Stop being a guardian' });
  if (!(await stop.isVisible())) await bobs.getByRole('heading', { name: 'Your settings' }).click();
  await stop.click();
  await bobs.getByRole('dialog').getByRole('button', { name: 'Stop being a guardian' }).click();
  await expect(bobs.getByRole('heading', { level: 1, name: 'You are no longer a guardian' })).toBeVisible();
  await anns.goto(`${world.dashboardUrl}/profile/guardians`);
  await expect(row()).toContainText('Stopped');
  await expect(row()).toContainText('is no longer a guardian');
  await checkScreen(anns);
});
