import { expect, type Page } from '@playwright/test';
import { givePlan } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';

export const password = 'correct horse battery';

export async function mailTo(world: World, address: string, subject: RegExp) {
  let foundMail: Awaited<ReturnType<World['mailbox']>>[number] | undefined;
  await expect
    .poll(
      async () => {
        foundMail = (await world.mailbox()).find((mail) => mail.to.includes(address) && subject.test(mail.subject));
        return foundMail !== undefined;
      },
      { message: `a mail to ${address} about ${subject}`, timeout: 15_000 },
    )
    .toBe(true);
  if (!foundMail) throw new Error('unreachable');
  return foundMail;
}

export function linkIn(mail: { text: string }): string {
  return /https?:\/\/\S+\/dashboard\/\S+/.exec(mail.text)?.[0] ?? '';
}

/** The checkbox has a name here, since the consent banner has checkboxes too. */
export const termsBox = (page: Page) => page.getByRole('checkbox', { name: /^I accept the terms of service/ });

export async function register(page: Page, world: World, name: string, email: string): Promise<void> {
  await page.goto(`${world.dashboardUrl}/register`);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm Password', { exact: true }).fill(password);
  await termsBox(page).check();
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible();
}

/** Registers and confirms the address, which leads to Subscribe. */
export async function registerWithoutPlan(page: Page, world: World, name: string, email: string): Promise<void> {
  await register(page, world, name, email);
  await page.goto(linkIn(await mailTo(world, email, /confirm/i)));
  await page.getByRole('button', { name: 'Confirm my email address' }).click();
  await expect(page.getByRole('heading', { name: 'Choose your plan' })).toBeVisible();
}

/** Registers, and buys a plan for five devices by API calls, since its screens have their own tests. */
export async function registerAndConfirm(page: Page, world: World, name: string, email: string): Promise<void> {
  await registerWithoutPlan(page, world, name, email);
  await givePlan(world, (await page.evaluate(() => localStorage.getItem('porchlight_token'))) ?? '');
  await page.goto(world.dashboardUrl);
  await expect(page.getByRole('heading', { name: /^Good / })).toBeVisible();
}

export async function logIn(page: Page, person: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

/** Returns the code. A computer with an agent may connect, and the page stop showing the code, before a test can read it there. */
export async function addDevice(page: Page, machine: 'This device' | 'Another device', name: string): Promise<string> {
  await page.getByRole('link', { name: 'Add Device' }).click();
  await page.getByRole('button', { name: machine }).click();
  await page.getByLabel('Device name').fill(name);
  const created = page.waitForResponse((answer) => answer.url().endsWith('/api/web/create-device'));
  await page.getByRole('button', { name: 'Continue' }).click();
  const { login_code } = (await (await created).json()) as { login_code: string };
  expect(login_code).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  if (machine === 'Another device') await expect(page.locator('.code')).toHaveText(login_code);
  return login_code;
}

export async function addGuardian(page: Page, world: World, name: string, email: string): Promise<void> {
  await page.goto(`${world.dashboardUrl}/profile/guardians`);
  const form = page.getByRole('form', { name: 'Add a Guardian' });
  await form.getByLabel('Name').fill(name);
  await form.getByLabel('Email', { exact: true }).fill(email);
  await form.getByLabel('Confirm Email').fill(email);
  await form.getByRole('button', { name: 'Add Guardian' }).click();
}
