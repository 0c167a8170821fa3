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

const section = () => page.getByRole('region', { name: 'Web browsing' });
const browsers = () => section().getByRole('switch', { name: 'Protect web browsers', exact: true });
const resolvers = () => section().getByRole('group', { name: 'Who looks up website names?' });
const resolver = (name: string) => resolvers().getByRole('radio', { name, exact: true });
const provider = 'Your internet provider, as usual';
const saved = () => section().getByText('Saved. Changes can take up to an hour to reach your computers.', { exact: true });
const dialog = () => page.getByRole('dialog');
const stored = () => call(world.url, 'GET /web/browsing-protection', { token: ann.token });
const open = () => page.goto(`${world.dashboardUrl}/policies`);

test('the profiles screen has a section about web browsing, whose choices have names and descriptions and nothing lost at 320 px', async () => {
  await linkedDevice(world, ann);
  await open();
  await expect(browsers()).toBeChecked();
  await expect(browsers()).toHaveAccessibleDescription(
    'Applies to computers with the Strict profile. Takes effect the next time the browser starts.',
  );
  await expect(resolvers().getByRole('radio')).toHaveCount(3);
  await expect(resolver(provider)).toBeChecked();
  await checkScreen(page);
  await checkScreenZoomed(page);
});

test('[P12.1] each choice of who looks up names says who then sees which names', async () => {
  for (const [name, description] of [
    [provider, 'Your internet provider sees the name of every website these computers look up, as it does without Porchlight.'],
    ['Quad9', /^Quad9, a nonprofit in Switzerland, sees the name of every website these computers look up, and your internet address\./],
    [
      'Cloudflare for Families',
      /^Cloudflare, a company in the United States, sees the name of every website these computers look up, and your internet address\./,
    ],
  ] as const) {
    await expect(resolver(name)).toHaveAccessibleDescription(description);
  }
});

test('a chosen resolver is saved at once, keeps the focus, and is chosen after a reload', async () => {
  await resolver('Quad9').check();
  await expect(saved()).toBeVisible();
  await expect(resolver('Quad9')).toBeChecked();
  await expect(resolver('Quad9')).toBeFocused();
  await expect(dialog()).toHaveCount(0);
  expect(await stored()).toMatchObject({ browsers: true, resolver: 'quad9' });
  await page.reload();
  await expect(resolver('Quad9')).toBeChecked();
  await resolver('Quad9').focus();
  await page.keyboard.press('ArrowDown');
  await expect(saved()).toBeVisible();
  await expect(resolver('Cloudflare for Families')).toBeChecked();
  await expect.poll(stored).toMatchObject({ browsers: true, resolver: 'cloudflare' });
});

test('what weakens protection is asked first: Cancel changes nothing, and a confirmation is saved, logged and can be taken back', async () => {
  await resolver('Cloudflare for Families').focus();
  await page.keyboard.press('ArrowDown');
  await expect(dialog()).toHaveAccessibleName('Stop using Cloudflare for Families?');
  await expect(dialog()).toHaveAccessibleDescription(/We’ll tell you and your guardians\.$/);
  await expect(resolver('Cloudflare for Families')).toBeChecked();
  await checkScreen(page);
  await page.keyboard.press('Escape');
  await expect(dialog()).toHaveCount(0);
  await expect(resolver('Cloudflare for Families')).toBeChecked();
  await expect(page.getByText('Action Cancelled')).toHaveCount(0);
  expect(await stored()).toMatchObject({ browsers: true, resolver: 'cloudflare' });

  await resolver(provider).click();
  await dialog().getByRole('button', { name: 'Stop using it' }).click();
  await expect(saved()).toBeVisible();
  await expect(resolver(provider)).toBeChecked();
  await browsers().click();
  await expect(dialog()).toHaveAccessibleName('Stop protecting web browsers?');
  await dialog().getByRole('button', { name: 'Stop protecting them' }).click();
  await expect(browsers()).not.toBeChecked();
  await expect.poll(stored).toMatchObject({ browsers: false, resolver: 'network' });
  await page.reload();
  await expect(browsers()).not.toBeChecked();
  await expect(resolver(provider)).toBeChecked();

  await page.goto(`${world.dashboardUrl}/profile/alerts`);
  for (const words of ['Ann turned off browser protection.', 'Ann stopped using Cloudflare for Families to look up websites.']) {
    const row = page.getByRole('listitem').filter({ hasText: words });
    await row.getByRole('button', { name: 'Take back' }).click();
    await expect(row.getByRole('button')).toHaveCount(0);
  }
  expect(await stored()).toMatchObject({ browsers: true, resolver: 'cloudflare' });
  await open();
  await expect(browsers()).toBeChecked();
  await expect(resolver('Cloudflare for Families')).toBeChecked();
});

test('[P15.5] the section says what Strict takes away from browsers', async () => {
  const losses = section().getByRole('region', { name: 'What Strict takes away from web browsers' }).getByRole('listitem');
  await expect(losses).toHaveText([
    /^Pop-up messages from websites\. Mail, calendar and message websites like Gmail, Outlook and WhatsApp may still send them\.$/,
    /^Remote help/,
    /^Looking up website names/,
    /^In Edge and Firefox, the way past a warning/,
    /^In Chrome and Brave, having no such warnings/,
    /^While there is trouble at a computer: all pop-up messages/,
  ]);
});

test('[P16.5] the section says how to get more warnings from Chrome, who sees what then, and that nobody chooses it for the family', async () => {
  const enhanced = section().getByRole('region', { name: 'Chrome can warn of more' }).getByRole('paragraph');
  await expect(enhanced).toHaveText([
    /choose Enhanced protection/,
    /^Google then sees the addresses .* With standard protection, Google sees an address only when/,
    /^We don’t choose it for you/,
  ]);
});

test('[P15.5] a website is added as it is typed, once, only after a question, and removed without one; an address that is none is explained', async () => {
  const list = section().getByRole('region', { name: 'Other websites that may send pop-up messages' });
  const field = list.getByLabel('Website', { exact: true });
  const origins = async () => (await stored()).notification_origins;
  for (const typed of ['my mail', 'http://mail.family.example']) {
    await field.fill(typed);
    await list.getByRole('button', { name: 'Let it send them' }).click();
    await expect(field).toHaveAccessibleDescription('That isn’t a website that can send them. Type it like mail.example.com.');
  }
  await field.fill('https://Mail.Family.example/inbox');
  await field.press('Enter');
  await expect(dialog()).toHaveAccessibleName('Let mail.family.example send pop-up messages?');
  await checkScreen(page);
  await page.keyboard.press('Escape');
  await expect(list.getByRole('listitem')).toHaveCount(0);
  expect(await origins()).toEqual([]);
  for (const typed of ['mail.family.example', 'chat.family.example:8443']) {
    await field.fill(typed);
    await field.press('Enter');
    await dialog().getByRole('button', { name: 'Let it send them' }).click();
    await expect(field).toHaveValue('');
  }
  await expect.poll(origins).toEqual(['https://mail.family.example', 'https://chat.family.example:8443']);
  await field.fill('MAIL.family.example');
  await field.press('Enter');
  await expect(field).toHaveAccessibleDescription('That website is on the list already.');
  await page.reload();
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await checkScreen(page);
  await checkScreenZoomed(page);
  await list.getByRole('button', { name: 'Remove mail.family.example' }).click();
  await expect(list.getByRole('listitem')).toHaveText([/^chat\.family\.example:8443/]);
  await expect(dialog()).toHaveCount(0);
  await expect.poll(origins).toEqual(['https://chat.family.example:8443']);
  await page.goto(`${world.dashboardUrl}/profile/alerts`);
  const row = page.getByRole('listitem').filter({ hasText: 'Ann let chat.family.example:8443 send pop-up messages.' });
  await row.getByRole('button', { name: 'Take back' }).click();
  await expect(row.getByRole('button')).toHaveCount(0);
  expect(await origins()).toEqual([]);
  await open();
  await expect(list).toBeVisible();
});

test('a choice that the server refuses disappears again, with an error that takes the focus, and can be made again', async () => {
  await page.route('**/api/web/browsing-protection', (route) =>
    route.request().method() === 'PATCH' ? route.fulfill({ status: 500, json: { error: 'x', code: 'internal' } }) : route.continue(),
  );
  await resolver('Quad9').click();
  await expect(section().getByRole('alert')).toBeFocused();
  await expect(section().getByRole('alert')).toBeInViewport();
  await expect(resolver('Cloudflare for Families')).toBeChecked();
  await checkScreen(page);
  await page.unrouteAll();
  await resolver('Quad9').click();
  await expect(saved()).toBeVisible();
  await expect(section().getByRole('alert')).toHaveCount(0);
  expect(await stored()).toMatchObject({ browsers: true, resolver: 'quad9' });
});

test('of two choices made before the first is saved, the last one counts', async () => {
  let release = () => {};
  const firstAnswer = new Promise<void>((resolve) => {
    release = resolve;
  });
  const sent: unknown[] = [];
  await page.route('**/api/web/browsing-protection', async (route) => {
    if (route.request().method() === 'PATCH') {
      sent.push(route.request().postDataJSON());
      if (sent.length === 1) await firstAnswer;
    }
    await route.continue();
  });
  await resolver('Cloudflare for Families').click();
  await resolver('Quad9').click();
  await expect(resolver('Quad9')).toBeChecked();
  expect(sent).toEqual([{ resolver: 'cloudflare' }]);
  release();
  await expect(saved()).toBeVisible();
  await expect.poll(() => sent).toEqual([{ resolver: 'cloudflare' }, { resolver: 'quad9' }]);
  await expect.poll(stored).toMatchObject({ browsers: true, resolver: 'quad9' });
  await expect(resolver('Quad9')).toBeChecked();
  await page.unrouteAll();
});
