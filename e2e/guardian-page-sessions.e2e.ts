import { expect } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from './lib/accessibility.ts';
import { registeredPerson } from './lib/people.ts';
import { linkIn, mailTo } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});
let ann: Person;
test.beforeAll(async () => {
  ann = await registeredPerson(world);
});

test('A12: a guardian sees each browser in which the page is open, and can end the session of another one', async ({ page, browser }) => {
  const email = 'bob@example.org';
  await call(world.url, 'POST /web/create-guardian', { token: ann.token, body: { name: 'Bob', email } });
  const link = linkIn(await mailTo(world, email, /guardian/));
  await page.goto(link);
  await page.getByRole('button', { name: 'I will look out' }).click();
  await expect(page.getByText('You look out for Ann', { exact: true })).toBeVisible();
  const context = await browser.newContext();
  const otherPage = await context.newPage();
  await otherPage.goto(link);
  await expect(otherPage.getByText('You look out for Ann', { exact: true })).toBeVisible();

  await page.reload();
  const section = page.getByRole('region', { name: 'Where this page is open' });
  await expect(section.getByRole('listitem')).toHaveCount(2);
  await expect(section.getByText('this browser')).toHaveCount(1);
  await expect(section.getByText('Then ask Ann to send you a new link')).toBeVisible();
  await checkScreen(page);
  await section.getByRole('button', { name: /^Close it there: / }).click();
  await expect(section.getByRole('listitem')).toHaveCount(1);
  await expect(section.getByRole('heading')).toBeFocused();
  await otherPage.goto(page.url());
  await expect(otherPage.getByRole('heading', { name: /link/i }).first()).toBeVisible();
  await expect(otherPage.getByText('You look out for Ann', { exact: true })).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('You look out for Ann', { exact: true })).toBeVisible();
  await context.close();
});
