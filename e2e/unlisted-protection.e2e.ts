import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { linkedDevice } from './lib/people.ts';
import { withAnn } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** The tests build on each other. */
test.describe.configure({ mode: 'serial' });

let world: World;
let ann: Person;
let page: Page;
withAnn(
  (signedIn) => {
    ({ world, ann, page } = signedIn);
  },
  { once: true },
);

const section = () => page.getByRole('region', { name: 'New and unknown things' });
const part = (name: string) => section().getByRole('switch', { name, exact: true });
const choice = (name: string) => section().getByRole('radio', { name, exact: true });
const saved = () => section().getByText('Saved. Changes can take up to an hour to reach your computers.', { exact: true });
const dialog = () => page.getByRole('dialog');
const stored = () => call(world.url, 'GET /web/unlisted-protection', { token: ann.token });
const list = (name: string) => section().getByRole('region', { name, exact: true });
const commands = 'Stop pasted commands';
const moneyPages = 'Rest money pages during trouble';

test('the profiles screen has a section about what is on no list, with everything on, names and descriptions, and nothing lost at 320 px', async () => {
  await linkedDevice(world, ann);
  await page.goto(`${world.dashboardUrl}/policies`);
  for (const name of [commands, 'Watch for ways in', moneyPages]) {
    await expect(part(name)).toBeChecked();
    await expect(part(name)).toHaveAccessibleDescription(/\w+\.$/);
  }
  await expect(choice('Ask while there is trouble')).toBeChecked();
  await checkScreen(page);
  await checkScreenZoomed(page);
});

test('[P12.3] a stronger choice is saved at once, and a weaker one is asked first, logged, and can be taken back', async () => {
  await choice('Always ask: nothing new runs without a yes').check();
  await expect(saved()).toBeVisible();
  await expect(dialog()).toHaveCount(0);
  await expect.poll(async () => (await stored()).new_programs).toBe('always');
  await choice('Let it run').click();
  await expect(dialog()).toHaveAccessibleName('Stop asking about new programs?');
  await checkScreen(page);
  await page.keyboard.press('Escape');
  await expect(choice('Always ask: nothing new runs without a yes')).toBeChecked();
  expect((await stored()).new_programs).toBe('always');

  await part(commands).click();
  await expect(dialog()).toHaveAccessibleDescription(/We’ll tell you and your guardians\.$/);
  await dialog().getByRole('button', { name: 'Turn it off' }).click();
  await expect(part(commands)).not.toBeChecked();
  await expect.poll(async () => (await stored()).pasted_commands).toBe(false);
  await page.goto(`${world.dashboardUrl}/profile/alerts`);
  const row = page.getByRole('listitem').filter({ hasText: 'Ann turned off stopping pasted commands.' });
  await row.getByRole('button', { name: 'Take back' }).click();
  await expect(row.getByRole('button')).toHaveCount(0);
  expect((await stored()).pasted_commands).toBe(true);
  await page.goto(`${world.dashboardUrl}/policies`);
  await expect(part(commands)).toBeChecked();
});

test('[P12.6] an own bank is added as it is typed, once, and removed only after a question; what is no website is explained', async () => {
  const own = list('Your own bank');
  const field = own.getByLabel('Website of your bank');
  await field.fill('my bank');
  await own.getByRole('button', { name: 'Add this bank' }).click();
  await expect(field).toHaveAccessibleDescription('That isn’t a website. Type it like mybank.com.');
  await field.fill('https://www.SmallTownBank.example/login');
  await field.press('Enter');
  await expect(own.getByRole('listitem')).toHaveText(/^smalltownbank\.example/);
  await expect(field).toHaveValue('');
  await expect.poll(async () => (await stored()).money_sites).toEqual(['smalltownbank.example']);
  await field.fill('smalltownbank.example');
  await field.press('Enter');
  await expect(field).toHaveAccessibleDescription('That website is on the list already.');
  await field.fill('google.com');
  await field.press('Enter');
  await expect(section().getByRole('alert')).toContainText('Too much on a computer depends on this website, so it can’t be closed.');
  await expect(field).toHaveValue('google.com');
  await expect(own.getByRole('listitem')).toHaveText(/^smalltownbank\.example/);
  await checkScreen(page);
  await own.getByRole('button', { name: 'Remove smalltownbank.example' }).click();
  await dialog().getByRole('button', { name: 'Remove' }).click();
  await expect(own.getByRole('listitem')).toHaveCount(0);
  await expect.poll(async () => (await stored()).money_sites).toEqual([]);
});

test('[P12.6] a website that always opens is asked about, and the lists are there only while money pages rest', async () => {
  const open = list('Money pages that always open');
  await open.getByLabel('Website', { exact: true }).fill('work-bank.example');
  await open.getByRole('button', { name: 'Let it open' }).click();
  await dialog().getByRole('button', { name: 'Let it open' }).click();
  await expect(open.getByRole('listitem')).toHaveCount(1);
  await open.getByRole('button', { name: 'Let it rest again: work-bank.example' }).click();
  await expect(open.getByRole('listitem')).toHaveCount(0);
  await part(moneyPages).click();
  await dialog().getByRole('button', { name: 'Turn it off' }).click();
  await expect(open).toHaveCount(0);
  await part(moneyPages).click();
  await expect(open).toBeVisible();
  await expect.poll(stored).toMatchObject({ money_pages: true, money_open: [] });
});
