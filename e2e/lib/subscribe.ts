import { expect, type Page } from '@playwright/test';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { porchlight } from '@porchlight/server/testing/command.ts';

export const interval = (page: Page, name: 'Monthly' | 'Yearly' | 'Yearly (save 33%)') => page.getByRole('radio', { name, exact: true });
export const plans = (page: Page) => page.getByRole('group', { name: 'Which plan do you want?' });
export const plan = (page: Page, name: string) => page.getByRole('radio', { name: new RegExp(`^${name} `) });
export const card = (page: Page, name: string) => plans(page).locator('label', { has: plan(page, name) });
export const start = (page: Page) => page.getByRole('button', { name: 'Start Subscription', exact: true });

export async function openSubscribe(page: Page, world: World): Promise<void> {
  await page.goto(`${world.dashboardUrl}/subscribe`);
  await expect(start(page)).toBeVisible();
}

/** An operator's command, on the database and the data folder of this server. */
export const commandIn = async (world: World, ...commandArguments: string[]) =>
  porchlight(commandArguments, { DATA_DIR: world.dataDir, DATABASE_URL: await world.databaseUrl() });

export async function operator(world: World, ...commandArguments: string[]): Promise<void> {
  const { code, err } = await commandIn(world, ...commandArguments);
  expect([code, err]).toEqual([0, '']);
}

export const grant = (world: World, { email }: Person, ...commandArguments: string[]) =>
  operator(world, 'account', 'grant', '--email', email, ...commandArguments);

export const pay = (page: Page) => page.getByRole('button', { name: /^(Start trial|Pay \$[\d,.]+)$/ });
export const goBack = (page: Page) => page.getByRole('button', { name: 'Go back', exact: true });

export async function order(page: Page, name: string): Promise<void> {
  await plan(page, name).check();
  await start(page).click();
  await page.waitForURL(/\/dev\/payments\/checkout\//);
}

/** From the dashboard to the test portal; presses these buttons there, and returns. */
export async function inPortal(page: Page, ...buttons: string[]): Promise<void> {
  await page.getByRole('button', { name: 'Manage Plan', exact: true }).click();
  await page.waitForURL(/\/dev\/payments\/portal\//);
  for (const name of buttons) {
    // The click does not wait for its answer, and the next press would abort it.
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name, exact: true }).click()]);
    await expect(page.getByRole('alert')).toHaveCount(0);
  }
  await goBack(page).click();
}

export async function holdEvents(world: World, hold: boolean): Promise<void> {
  const headers = world.simulatorCookie();
  const answer = await fetch(`${world.url}/dev/payments/${hold ? 'hold' : 'release'}`, { method: 'POST', redirect: 'manual', headers });
  expect(answer.status).toBe(303);
}
