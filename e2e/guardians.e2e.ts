// Tier: fast. The journey of section 4, states and transitions.
import { expect, type Page } from '@playwright/test';
import type { World } from '@porchlight/dev/world.ts';
import { addGuardian, linkIn, mailTo, registerAndConfirm } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** The tests build on each other. */
test.describe.configure({ mode: 'serial' });

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});
let page: Page;
const longEmail = `${'b'.repeat(35)}@example.org`;

test.beforeAll(async ({ browser }) => {
  page = await (await browser.newContext()).newPage();
  await registerAndConfirm(page, world, 'Ann Example', 'ann@example.org');
  await page.goto(`${world.dashboardUrl}/profile/guardians`);
});

const form = () => page.getByRole('form', { name: 'Add a Guardian' });
const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });

test('[2.109] [2.110] [2.113] [2.114] [5.20] [9.9] the empty guardians tab explains what guardians are for, and has the form', async () => {
  await expect(page.getByText(/^You can add up to 5 guardians/)).toContainText(
    'each of them gets an email, and a text message if they like',
  );
  await expect(page.getByText("You don't currently have any guardians.", { exact: true })).toBeVisible();
  await expect(form().getByLabel('Name')).toHaveAttribute('placeholder', 'Guardian Name');
  await expect(form().getByLabel('Name')).toHaveAttribute('maxlength', '40');
  for (const label of ['Email', 'Confirm Email'])
    await expect(form().getByLabel(label, { exact: true })).toHaveAttribute('maxlength', '400');
  await expect(page.getByText(/They get an email with an invitation, and a Guardian Dashboard/)).toContainText(
    'enter a phone number for text alerts or opt out',
  );
});

test('[5.19] [5.21] two different addresses in the guardian form are refused before anything is sent', async () => {
  const sentRequests: string[] = [];
  page.on('request', (request) => request.url().endsWith('/create-guardian') && sentRequests.push(request.url()));
  await form().getByLabel('Name').fill('Bob');
  await form().getByLabel('Email', { exact: true }).fill('bob@example.org');
  await form().getByLabel('Confirm Email').fill('bob@example.com');
  await form().getByRole('button', { name: 'Add Guardian' }).click();
  const mismatchError = 'The guardian email does not match the guardian email confirmation';
  await expect(page.getByRole('alert')).toHaveText(mismatchError);
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(form().getByLabel('Confirm Email')).toHaveAccessibleDescription(mismatchError);
  await expect(form().getByLabel('Name')).toHaveValue('Bob');
  expect(sentRequests).toEqual([]);
});

test('[2.111] [2.112] [2.116] [4.38] [4.39] [4.42] [9.9] inviting a guardian shows a sticky success message, and Pending becomes Active', async ({
  browser,
}) => {
  await addGuardian(page, world, 'Bob', longEmail);
  const answer = page.getByText(`An invitation to be your guardian has been sent to ${longEmail.slice(0, 40)}…`, { exact: true });
  await expect(answer).toBeVisible();
  expect(await answer.evaluate((element) => getComputedStyle(element.closest('.sticky') ?? element).position)).toBe('sticky');
  await expect(row('Bob')).toContainText(longEmail);
  await expect(row('Bob').getByText('Pending', { exact: true })).toBeVisible();
  await expect(row('Bob').getByText('must accept the email invitation first')).toBeVisible();
  await expect(row('Bob').getByRole('button', { name: 'Resend email' })).toBeVisible();
  await expect(row('Bob').getByTitle('Remove Bob as a guardian', { exact: true })).toHaveText('Remove');

  const bobPage = await (await browser.newContext()).newPage();
  await bobPage.goto(linkIn(await mailTo(world, longEmail, /guardian/)));
  await bobPage.getByRole('button', { name: 'I will look out' }).click();
  await expect(bobPage.getByRole('heading', { level: 1, name: /^Ann/ })).toBeVisible();
  await page.reload();
  await expect(row('Bob').getByText('Active', { exact: true })).toBeVisible();
  await expect(row('Bob').getByText('receiving alerts')).toBeVisible();
});

test('[4.41] [4.42] the invitation is sent again only after a confirmation, and the result appears without an alert area', async () => {
  const mails = async () => (await world.mailbox()).filter((mail) => mail.to.includes(longEmail)).length;
  const mailsBefore = await mails();
  const resend = row('Bob').getByRole('button', { name: 'Resend email' });
  const dialog = page.getByRole('dialog', { name: 'Resend email?' });
  await resend.click();
  await expect(dialog).toContainText('they can update their phone number or opt out');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(resend).toBeFocused();
  await expect(page.getByText('Action Cancelled')).toHaveCount(0);
  await resend.click();
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('status').getByText('The email is on its way.')).toBeVisible();
  await expect(page.locator('.note')).toHaveCount(0);
  await expect.poll(mails).toBe(mailsBefore + 1);
});

test('[2.115] at the maximum number of guardians a sentence replaces the form', async () => {
  for (const name of ['Cid', 'Dee', 'Eli', 'Fay']) {
    await expect(form()).toBeVisible();
    await addGuardian(page, world, name, `${name}@example.org`);
    await expect(row(name)).toBeVisible();
  }
  await expect(page.getByText("You've reached the maximum number of guardians for your account.", { exact: true })).toBeVisible();
  await expect(form()).toHaveCount(0);
});

test('[4.39] [4.40] [4.42] a guardian is removed only after a confirmation, and the form is back', async () => {
  const remove = row('Cid').getByTitle('Remove Cid as a guardian');
  const dialog = page.getByRole('dialog', { name: 'Remove Guardian?' });
  await remove.click();
  await expect(dialog).toContainText('Cid will no longer receive email or text notifications.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(row('Cid')).toBeVisible();
  await remove.click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(row('Cid')).toHaveCount(0);
  await expect(page.getByRole('status').getByText('Cid is no longer a guardian.')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('group', { name: 'Guardians' })).toBeFocused();
  await expect(form()).toBeVisible();
});
