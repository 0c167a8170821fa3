import { expect, type Page } from '@playwright/test';
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

async function acceptInvitation(page: Page, name: string, email: string): Promise<string> {
  await call(world.url, 'POST /web/create-guardian', { token: ann.token, body: { name, email } });
  const link = linkIn(await mailTo(world, email, /guardian/));
  await page.goto(link);
  await page.getByRole('button', { name: 'I will look out' }).click();
  await expect(page.getByText('You look out for Ann', { exact: true })).toBeVisible();
  return link;
}

test('A12: a guardian sees each browser in which the page is open, and can end the session of another one', async ({ page, browser }) => {
  const link = await acceptInvitation(page, 'Bob', 'bob@example.org');
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

test('[P15.6] a guardian chooses reports about quiet weeks too, or none, and emails stay on', async ({ page }) => {
  await acceptInvitation(page, 'Carol', 'carol@example.org');
  const reach = page.getByRole('region', { name: 'How we reach you' });
  const button = (name: string) => reach.getByRole('button', { name });
  await expect(reach.getByText('In quiet times you get one a month.')).toBeVisible();
  await button('Turn reports about quiet weeks on').click();
  await expect(reach.getByRole('status').getByText('Reports about quiet weeks are on now.')).toBeVisible();
  await checkScreen(page);
  await page.reload();
  await expect(button('Turn reports about quiet weeks off')).toBeVisible();
  await button('Turn weekly reports off').click();
  await expect(button('Turn weekly reports on')).toBeVisible();
  await expect(button('Turn reports about quiet weeks off')).toHaveCount(0);
  await expect(button('Turn emails off')).toBeVisible();
  await button('Turn weekly reports on').click();
  await expect(button('Turn reports about quiet weeks off')).toBeVisible();
});
