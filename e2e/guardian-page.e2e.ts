// Tier: fast. The journey of section 6, roles and permissions.
import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { pageOf, reportAlert } from './lib/accounts.ts';
import { endIncident } from './lib/guardians.ts';
import { linkedDevice, registeredPerson } from './lib/people.ts';
import { linkIn, mailTo } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
let ann: Person;
withWorld((startedWorld) => {
  world = startedWorld;
});
test.beforeAll(async () => {
  ann = await registeredPerson(world);
});

interface Invited {
  uuid: string;
  email: string;
  link: string;
  page: Page;
}

async function openInvitation(page: Page, name: string): Promise<Invited> {
  const email = `${name.toLowerCase()}-${randomUUID().slice(0, 8)}@example.org`;
  const { uuid } = await call(world.url, 'POST /web/create-guardian', { token: ann.token, body: { name, email } });
  const link = linkIn(await mailTo(world, email, /guardian/));
  await page.goto(link);
  return { uuid, email, link, page };
}
async function acceptInvitation(page: Page, name: string): Promise<Invited> {
  const guardian = await openInvitation(page, name);
  await page.getByRole('button', { name: 'I will look out' }).click();
  await expect(page.getByText('You look out for Ann', { exact: true })).toBeVisible();
  return guardian;
}
// An account has at most five guardians (P5.1).
test.afterEach(async () => {
  const { guardians } = await call(world.url, 'GET /web/guardians', { token: ann.token });
  for (const { uuid } of guardians) await call(world.url, 'DELETE /web/guardians/:uuid', { token: ann.token, params: { uuid } });
});
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

test('[2.16] the key of a guardian’s link leaves the address at once and reaches nobody else, and the page opens again without the key', async ({
  page,
}) => {
  const requestedUrls: string[] = [];
  const referrers: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() !== 'document') requestedUrls.push(request.url());
    referrers.push(request.headers().referer ?? '');
  });
  const { link, uuid } = await openInvitation(page, 'Bob');
  const key = link.split('/').at(-1) ?? '';
  expect(key.length).toBeGreaterThan(20);
  await expect(page).toHaveURL(`${world.dashboardUrl}/guardian/${uuid}`);
  await expect(heading(page)).toHaveText('Ann asks you to be a guardian');
  expect(requestedUrls.length).toBeGreaterThan(3);
  for (const url of [...requestedUrls, ...referrers]) expect(url).not.toContain(key);
  expect(
    await page.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie])),
  ).not.toContain(key);
  await page.reload();
  await expect(heading(page)).toHaveText('Ann asks you to be a guardian');
});

test('[2.16] the invitation says who asks and what a guardian does, and accepting by keyboard alone opens the page', async ({ page }) => {
  await openInvitation(page, 'Bob');
  await expect(heading(page)).toHaveText('Ann asks you to be a guardian');
  await expect(page).toHaveTitle(/^Ann asks you to be a guardian · /);
  await expect(page.getByText(/You never see what Ann does/)).toBeVisible();
  await checkScreen(page);
  await checkScreenZoomed(page);
  await page.getByRole('button', { name: 'I will look out' }).focus();
  await page.keyboard.press('Enter');
  await expect(heading(page)).toHaveText('Ann has no protected computer yet');
  await expect(page).toHaveTitle(/^Ann has no protected computer yet · You look out for Ann · /);
  await expect(page.getByRole('main')).toBeFocused();
  await checkScreen(page);
});

test('[2.111] declining an invitation needs a confirmation; the holder sees it, and can invite again', async ({ page, browser }) => {
  const { email } = await openInvitation(page, 'Bob');
  const no = page.getByRole('button', { name: 'No, thank you' });
  const dialog = page.getByRole('dialog', { name: 'Say no?' });
  await no.click();
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await checkScreen(page);
  await page.keyboard.press('Escape');
  await expect(no).toBeFocused();
  await no.click();
  await dialog.getByRole('button', { name: 'Say no' }).click();
  await expect(heading(page)).toHaveText('You said no, and that is fine');
  await checkScreen(page);
  const holder = await pageOf(browser, world, ann);
  await holder.goto(`${world.dashboardUrl}/profile/guardians`);
  await expect(holder.getByRole('listitem').filter({ hasText: email })).toContainText('Said no');
  await checkScreen(holder);
  await holder.getByRole('button', { name: 'Resend email' }).click();
  await holder.getByRole('button', { name: 'Confirm' }).click();
  await expect(holder.getByRole('listitem').filter({ hasText: email })).toContainText('Pending');
  await expect
    .poll(async () => (await world.mailbox()).filter((mail) => mail.to.includes(email) && /guardian/.test(mail.subject)).length)
    .toBeGreaterThan(1);
  await page.goto(linkIn(await mailTo(world, email, /guardian/)));
  await expect(heading(page)).toHaveText('Ann asks you to be a guardian');
  await holder.context().close();
});

test('the page of an expired invitation says that it has expired, and what to do', async ({ page }) => {
  const { uuid } = await openInvitation(page, 'Bob');
  await expect(heading(page)).toHaveText('Ann asks you to be a guardian');
  await page.route(`**/api/guardian/${uuid}`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...(await answer.json()), state: 'expired' } });
  });
  await page.reload();
  await expect(heading(page)).toHaveText('This invitation has expired');
  await expect(page.getByText(/Ask Ann to send it again/)).toBeVisible();
  await checkScreen(page);
});

test('[6.6] emails can be switched off and on, and without any channel the page warns that the guardian cannot be notified', async ({
  page,
  browser,
}) => {
  await acceptInvitation(page, 'Bob');
  const reach = page.getByRole('region', { name: 'How we reach you' });
  await reach.getByRole('button', { name: 'Turn emails off' }).click();
  await expect(reach.getByRole('status').getByText('Emails are off now.')).toBeVisible();
  await expect(reach.getByText(/Your emails and texts are both off/)).toBeVisible();
  await expect(reach.getByText('Off', { exact: true }).first()).toBeVisible();
  await checkScreen(page);
  const holder = await pageOf(browser, world, ann);
  await holder.goto(`${world.dashboardUrl}/profile/guardians`);
  await expect(holder.getByText(/Bob turned emails and texts off/)).toBeVisible();
  await holder.context().close();
  await page.reload();
  await reach.getByRole('button', { name: 'Turn emails on' }).click();
  await expect(reach.getByText('On', { exact: true }).first()).toBeVisible();
  await expect(reach.getByText(/are both off/)).toHaveCount(0);
});

test('[6.6] a phone number can be added, verified by a texted code, and switched off; after a STOP the page explains START', async ({
  page,
}) => {
  await acceptInvitation(page, 'Bob');
  const number = '+12025550143';
  const texts = async () => (await world.texts()).filter((text) => text.to === number);
  const reach = page.getByRole('region', { name: 'How we reach you' });
  await reach.getByRole('button', { name: 'Add your phone number' }).click();
  await reach.getByRole('button', { name: 'Save and text me a code' }).click();
  await expect(reach.getByRole('alert')).toHaveText('Enter your phone number first.');
  await expect(reach.getByRole('alert')).toBeFocused();
  await reach.getByLabel('Phone number', { exact: true }).fill('202 555 014');
  await page.keyboard.press('Enter');
  await expect(reach.getByRole('alert')).toHaveText('This number is too short.');
  await checkScreen(page);
  await reach.getByLabel('Phone number', { exact: true }).fill('(202) 555-0143');
  await page.keyboard.press('Enter');
  const code = reach.getByLabel('The six digits');
  await expect(code).toBeFocused();
  await expect(reach.getByText(`We texted six digits to ${number}. They work for 10 minutes.`)).toBeVisible();
  await expect.poll(async () => (await texts()).length, { timeout: 15_000 }).toBe(1);
  await expect(reach.getByRole('button', { name: /^Send a new code in \d+ s$/ })).toBeDisabled();
  const rightCode = /\b\d{6}\b/.exec((await texts())[0]?.body ?? '')?.[0] ?? '';
  await code.fill(String((Number(rightCode) + 1) % 1_000_000).padStart(6, '0'));
  await page.keyboard.press('Enter');
  await expect(code).toHaveAccessibleDescription('That is not the code we sent. Check the six digits and try again.');
  await checkScreen(page);
  await checkScreenZoomed(page);
  await code.fill(rightCode);
  await page.keyboard.press('Enter');
  await expect(reach.getByText(`Texts go to ${number}.`)).toBeVisible();
  await reach.getByRole('button', { name: 'Turn text messages off' }).click();
  await expect(reach.getByRole('status').getByText('Text messages are off now.')).toBeVisible();
  await reach.getByRole('button', { name: 'Turn text messages on' }).click();
  await expect(reach.getByRole('status').getByText('Text messages are on now.')).toBeVisible();

  const sendText = async (word: string) => {
    const [text] = await texts();
    const body = new URLSearchParams({ body: word });
    await fetch(`${world.url}/dev/mailbox/text/${text?.id}`, {
      method: 'POST',
      redirect: 'manual',
      headers: world.simulatorCookie(),
      body,
    });
  };
  await sendText('STOP');
  await page.reload();
  await expect(reach.getByText(/You have asked us not to send texts\. To get them again, text START to \+\d+\./)).toBeVisible();
  await checkScreen(page);
  await sendText('START');
  await page.reload();
  await expect(reach.getByText(`Texts go to ${number}.`)).toBeVisible();
  await expect(reach.getByText(/text START to/)).toHaveCount(0);
  await reach.getByRole('button', { name: 'Remove the number' }).click();
  await expect(reach.getByRole('button', { name: 'Add your phone number' })).toBeVisible();
});

test('[2.16] the open page of a removed guardian ends, and a lost link is sent again to a guardian’s address', async ({
  page,
  browser,
}) => {
  const { uuid, link, email: bobEmail } = await acceptInvitation(page, 'Bob');
  const cidPage = await pageOf(browser, world, null);
  const { email: cidEmail } = await acceptInvitation(cidPage, 'Cid');
  await call(world.url, 'DELETE /web/guardians/:uuid', { token: ann.token, params: { uuid } });
  await expect(heading(page)).toHaveText('This link no longer works', { timeout: 15_000 });
  await expect(page.getByText('You look out for Ann')).toHaveCount(0);
  await page.goto(link);
  await expect(heading(page)).toHaveText('This link no longer works');
  const lostLinkForm = page.getByRole('form', { name: 'Send me my link again' });
  await lostLinkForm.getByRole('button', { name: 'Send my link' }).click();
  await expect(lostLinkForm.getByRole('alert')).toHaveText('Enter your email address first.');
  await checkScreen(page);
  const answer = (email: string) => lostLinkForm.getByText(`If you are a guardian with ${email}, an email with your link is on its way.`);
  for (const email of [bobEmail, 'nobody@example.org', cidEmail]) {
    await lostLinkForm.getByLabel('Your email address').fill(email);
    await lostLinkForm.getByRole('button', { name: 'Send my link' }).click();
    await expect(answer(email)).toBeVisible();
  }
  await checkScreen(page);
  const secondMail = await mailTo(world, cidEmail, /link/i);
  expect((await world.mailbox()).filter((mail) => mail.to.includes('nobody@example.org'))).toEqual([]);
  await page.goto(linkIn(secondMail));
  await expect(page.getByText('You look out for Ann', { exact: true })).toBeVisible();
  await cidPage.context().close();
});

test('[2.111] [6.6] a guardian who leaves must confirm it, and the holder is notified', async ({ page, browser }) => {
  const { email } = await acceptInvitation(page, 'Bob');
  const dialog = page.getByRole('dialog', { name: 'Stop being a guardian?' });
  const stopButton = page.getByRole('button', { name: 'Stop being a guardian' });
  await stopButton.first().click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(stopButton.first()).toBeFocused();
  await stopButton.first().click();
  await dialog.getByRole('button', { name: 'Stop being a guardian' }).click();
  await expect(heading(page)).toHaveText('You are no longer a guardian');
  await checkScreen(page);
  const holder = await pageOf(browser, world, ann);
  await holder.goto(`${world.dashboardUrl}/profile/guardians`);
  await expect(holder.getByRole('listitem').filter({ hasText: email })).toContainText('Stopped');
  await checkScreen(holder);
  await mailTo(world, ann.email, /Bob/);
  await holder.context().close();
});

test('the page of an alert has one sentence, what to do and say, and four parts each, and nothing that is private to the holder', async ({
  page,
}) => {
  const device = await linkedDevice(world, ann);
  await acceptInvitation(page, 'Bob');
  await expect(heading(page)).toHaveText('Everyone is protected');
  await checkScreen(page);
  await reportAlert(world, device);
  await expect(heading(page)).toHaveText(/^We stopped AnyDesk on Den PC, (?:today|yesterday) at \d{1,2}:\d\d [AP]M$/, { timeout: 15_000 });
  await expect(page.getByRole('heading', { name: 'What to do now, and what to say' })).toBeVisible();
  await expect(page).toHaveTitle(/^We stopped AnyDesk on Den PC · You look out for Ann · /);
  // The order: whom to call, what to say, what to write to the others; the rest is collapsed.
  const order = await page.getByRole('main').innerText();
  const pageTexts = [
    'We stopped AnyDesk',
    'Call Ann now, on the number you know.',
    'Say: “You did nothing wrong.',
    'I’m on it',
    'What to do now, and what to say',
  ];
  expect(pageTexts.map((text) => order.indexOf(text))).toEqual(pageTexts.map((text) => order.indexOf(text)).toSorted((a, b) => a - b));
  expect(pageTexts.filter((text) => !order.includes(text))).toEqual([]);
  // Sections that were open stay open; a fresh page starts with the alert.
  await expect(page.locator('.alert-row')).toBeVisible();
  await page.reload();
  await expect(heading(page)).toHaveText(/^We stopped AnyDesk/);
  await expect(page.locator('.alert-row')).toBeHidden();
  await page.getByRole('heading', { name: 'What to do now, and what to say' }).click();
  await expect(page.getByText('Use the number you know, not one that somebody gives you.')).toBeVisible();
  await page.getByRole('heading', { name: 'What happened lately' }).click();
  await page.locator('.alert-row summary').first().click();
  for (const name of ['What happened', 'What we did', 'Is it over?', 'What to do now'])
    await expect(page.getByText(name, { exact: true })).toBeVisible();
  await checkScreen(page);
  await checkScreenZoomed(page);
  // In an incident the removal of the guardians would wait.
  await endIncident(page, world, ann);
});
