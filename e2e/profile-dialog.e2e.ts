import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { withAnn } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
let ann: Person;
let page: Page;
withAnn(
  (signedIn) => {
    ({ world, ann, page } = signedIn);
  },
  { path: '/profile' },
);

const dialog = () => page.getByRole('dialog', { name: 'Confirm with your password' });
const field = () => dialog().getByLabel('Password', { exact: true });
const button = (label: string) => dialog().getByRole('button', { name: label });
const save = () => page.getByRole('button', { name: 'Save Profile' });
const holdSave = async () => {
  let release = () => {};
  const releasePromise = new Promise<void>((resolve) => {
    release = resolve;
  });
  let onRequest = () => {};
  const requestReached = new Promise<void>((resolve) => {
    onRequest = resolve;
  });
  await page.route('**/api/web/profile', async (route) => {
    if (route.request().method() !== 'PATCH') return route.fallback();
    onRequest();
    await releasePromise;
    await route.continue();
  });
  return { reached: requestReached, release: () => release() };
};

test('[4.28] a pending change cannot be cancelled, by button or key, and no message reports a cancellation', async () => {
  const pendingSave = await holdSave();
  const newEmail = `new-${ann.email}`;
  await page.getByLabel('Email').fill(newEmail);
  await save().click();
  await field().fill(ann.password);
  await button('Confirm').click();
  await pendingSave.reached;
  await expect(button('Cancel')).toBeDisabled();
  // Chromium closes a dialog at the second Escape without asking.
  for (let i = 0; i < 3; i++) await page.keyboard.press('Escape');
  await expect(dialog()).toBeVisible();
  await expect(page.getByText('Action Cancelled')).toHaveCount(0);
  pendingSave.release();
  await expect(page.getByText('Your profile has been updated.', { exact: true })).toBeVisible();
  await expect(dialog()).toHaveCount(0);
  await expect(page.getByText(`We sent an email to ${newEmail}.`)).toBeVisible();

  await page.getByLabel('Email').fill(`other-${ann.email}`);
  await save().click();
  await expect(field()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog()).toHaveCount(0);
  await expect(page.getByText('Action Cancelled')).toBeVisible();
});

test('[4.28] after a slow wrong password the dialog can be cancelled again, and the form accepts the next press', async () => {
  const pendingSave = await holdSave();
  await page.getByLabel('Email').fill(`new-${ann.email}`);
  await save().click();
  await field().fill('not my password');
  await button('Confirm').click();
  await pendingSave.reached;
  await page.keyboard.press('Escape');
  pendingSave.release();
  await expect(dialog().getByRole('alert')).toBeVisible();
  await button('Cancel').click();
  await expect(dialog()).toHaveCount(0);
  await save().click();
  await field().fill(ann.password);
  await button('Confirm').click();
  await expect(page.getByText('Your profile has been updated.', { exact: true })).toBeVisible();
  await expect(dialog()).toHaveCount(0);
});

test('[4.28] an early close event of the browser leaves the dialog closed, and the focus returns', async () => {
  // Sends the event before the dialog has left the page.
  await page.evaluate(() => {
    const close = HTMLDialogElement.prototype.close;
    HTMLDialogElement.prototype.close = function (this: HTMLDialogElement) {
      close.call(this);
      this.dispatchEvent(new Event('close'));
    };
  });
  await page.getByLabel('Email').fill(`new-${ann.email}`);
  await page.getByLabel('Email').press('Enter');
  await field().fill(ann.password);
  await field().press('Enter');
  await expect(dialog()).toHaveCount(0);
  await expect(page.getByText('Your profile has been updated.')).toBeVisible();
  await expect(page.getByLabel('Email')).toBeFocused();
});

test('[2.141] the prominent button of the phone dialog is the next step', async () => {
  const body = { phone_number: '+12025550149', current_password: ann.password };
  await call(world.url, 'PATCH /web/profile', { token: ann.token, body });
  await page.goto(`${world.dashboardUrl}/profile?verify-phone`);
  const phone = page.getByRole('dialog', { name: 'Verify your phone number' });
  await expect(phone).toContainText('Is (202) 555-0149 yours?');
  const firstButton = phone.locator('.btn:not(.quiet)');
  await expect(firstButton).toHaveText('Text me the code');
  await firstButton.click();
  await expect(phone).toContainText('We texted six digits to (202) 555-0149.');
  await expect(firstButton).toHaveText('Verify');
});
