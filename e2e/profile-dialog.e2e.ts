import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { withAnn } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** The question for the password, while the change it was asked for is under way. */

let world: World;
let ann: Person;
let page: Page;
withAnn(
  (its) => {
    ({ world, ann, page } = its);
  },
  { path: '/profile' },
);

const dialog = () => page.getByRole('dialog', { name: 'Confirm with your password' });
const field = () => dialog().getByLabel('Password', { exact: true });
const button = (label: string) => dialog().getByRole('button', { name: label });
const save = () => page.getByRole('button', { name: 'Save Profile' });
/** The first change of the profile is held before the server hears of it, until it is let go. */
const hold = async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let asked = () => {};
  const reached = new Promise<void>((resolve) => {
    asked = resolve;
  });
  await page.route('**/api/web/profile', async (route) => {
    if (route.request().method() !== 'PATCH') return route.fallback();
    asked();
    await held;
    await route.continue();
  });
  return { reached, release: () => release() };
};

test('[4.28] what is under way can no longer be cancelled, by button or key, and nothing says that it was', async () => {
  const late = await hold();
  const fresh = `new-${ann.email}`;
  await page.getByLabel('Email').fill(fresh);
  await save().click();
  await field().fill(ann.password);
  await button('Confirm').click();
  await late.reached;
  await expect(button('Cancel')).toBeDisabled();
  // Chromium closes a dialog at the second Escape without asking.
  for (let i = 0; i < 3; i++) await page.keyboard.press('Escape');
  await expect(dialog()).toBeVisible();
  await expect(page.getByText('Action Cancelled')).toHaveCount(0);
  late.release();
  await expect(page.getByText('Your profile has been updated.', { exact: true })).toBeVisible();
  await expect(dialog()).toHaveCount(0);
  await expect(page.getByText(`We sent an email to ${fresh}.`)).toBeVisible();

  // The next change asks again, and can be declined.
  await page.getByLabel('Email').fill(`other-${ann.email}`);
  await save().click();
  await expect(field()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog()).toHaveCount(0);
  await expect(page.getByText('Action Cancelled')).toBeVisible();
});

test('[4.28] after a wrong password that took long it can be cancelled again, and the form takes the next press', async () => {
  const late = await hold();
  await page.getByLabel('Email').fill(`new-${ann.email}`);
  await save().click();
  await field().fill('not my password');
  await button('Confirm').click();
  await late.reached;
  await page.keyboard.press('Escape');
  late.release();
  await expect(dialog().getByRole('alert')).toBeVisible();
  await button('Cancel').click();
  await expect(dialog()).toHaveCount(0);
  await save().click();
  await field().fill(ann.password);
  await button('Confirm').click();
  await expect(page.getByText('Your profile has been updated.', { exact: true })).toBeVisible();
  await expect(dialog()).toHaveCount(0);
});

test('[4.28] the browser tells early that the dialog was closed: it stays closed, and the focus is back where it was', async () => {
  // It tells whenever it likes, also before the dialog has gone from the page.
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

test('[2.141] the button that stands out in the dialog for the phone is the one that comes next', async () => {
  const body = { phone_number: '+12025550149', current_password: ann.password };
  await call(world.url, 'PATCH /web/profile', { token: ann.token, body });
  await page.goto(`${world.dashboardUrl}/profile?verify-phone`);
  const phone = page.getByRole('dialog', { name: 'Verify your phone number' });
  await expect(phone).toContainText('Is (202) 555-0149 yours?');
  const first = phone.locator('.btn:not(.quiet)');
  await expect(first).toHaveText('Text me the code');
  await first.click();
  await expect(phone).toContainText('We sent a text with six digits to (202) 555-0149.');
  await expect(first).toHaveText('Verify');
});
