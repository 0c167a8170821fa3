import { type Browser, expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { pageOf } from './lib/accounts.ts';
import { addPasskey, passkeyDevice } from './lib/passkey-device.ts';
import { registeredPerson } from './lib/people.ts';
import { linkIn, logIn, mailTo } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld(
  (startedWorld) => {
    world = startedWorld;
  },
  { env: { TRUST_PROXY: 'on' } },
);

// Each page has its own client address, because of the login rate limit.
let pages = 0;
const pageAt = (browser: Browser, person: Person | null) => {
  pages += 1;
  return pageOf(browser, world, person, { extraHTTPHeaders: { 'x-forwarded-for': `198.18.3.${pages}` } });
};
const removeButton = (page: Page) => page.getByRole('button', { name: 'Remove it' });
const passkeysOf = async ({ token }: Person) => (await call(world.url, 'GET /web/sign-in-methods', { token })).passkeys.length;
/** A stranger at the holder's computer, who knows the password. */
async function strangerAdds(browser: Browser, person: Person) {
  const page = await pageAt(browser, person);
  await passkeyDevice(page);
  await addPasskey(page, world, person);
  return page;
}

test('[P13.1] the link of the email removes a stranger’s passkey by its button and not by opening it, and a new password lets the holder in', async ({
  browser,
}) => {
  const [ann, eve] = [await registeredPerson(world), await registeredPerson(world)];
  const stranger = await strangerAdds(browser, ann);
  await strangerAdds(browser, eve);
  const link = linkIn(await mailTo(world, ann.email, /^New way to log in: a passkey/));
  expect(link).toMatch(/\/dashboard\/remove-sign-in\/./);

  const guest = await pageAt(browser, null);
  const requests: string[] = [];
  guest.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await guest.goto(link);
  await expect(guest.getByText(/^Someone added the passkey “Chrom.*” to this account, (today|yesterday) .*\.$/)).toBeVisible();
  await expect(removeButton(guest)).toBeVisible();
  await checkScreen(guest);
  await checkScreenZoomed(guest);
  expect(requests).not.toContain('/api/remove-sign-in');
  expect(await passkeysOf(ann)).toBe(1);

  await removeButton(guest).click();
  await expect(guest.getByRole('status').filter({ hasText: 'We removed it, and logged everyone out.' })).toBeFocused();
  await expect(guest.getByRole('heading', { level: 1, name: 'Choose a new password now' })).toBeVisible();
  await expect(removeButton(guest)).toHaveCount(0);
  await checkScreen(guest);
  await checkScreenZoomed(guest);
  expect(await passkeysOf(eve)).toBe(1);
  await stranger.goto(`${world.dashboardUrl}/profile`);
  await expect(stranger.getByText('Your login has expired. Please login again.')).toBeVisible();

  // The email to choose a new password came without asking.
  await guest.goto(linkIn(await mailTo(world, ann.email, /^Choose a new password$/)));
  const password = 'quiet river under stones';
  await guest.getByLabel('New Password', { exact: true }).fill(password);
  await guest.getByLabel('Confirm New Password', { exact: true }).fill(password);
  await guest.getByRole('button', { name: 'Save new password' }).click();
  await expect(guest.getByRole('button', { name: 'Log in', exact: true })).toBeVisible();
  await logIn(guest, { email: ann.email, password });
  await expect(guest.getByRole('heading', { name: /^Good / })).toBeVisible();
});

test('a link that no longer removes anything leads to the page of the ways to log in, through the login', async ({ browser }) => {
  const ann = await registeredPerson(world);
  const guest = await pageAt(browser, null);
  await guest.goto(`${world.dashboardUrl}/remove-sign-in/no-such-link`);
  const note = guest.getByRole('alert');
  await expect(note).toHaveText(
    'If you have a newer email from us about this, press the button in the newest one. If not, what was added may be removed already, or the seven days are over.',
  );
  await expect(note).toBeFocused();
  await expect(removeButton(guest)).toHaveCount(0);
  await checkScreen(guest);
  await guest.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  await logIn(guest, ann);
  await expect(guest.getByRole('heading', { name: 'How you log in' })).toBeVisible();

  const page = await pageAt(browser, ann);
  await page.goto(`${world.dashboardUrl}/remove-sign-in/no-such-link`);
  await page.getByRole('link', { name: 'Check how you log in' }).click();
  await expect(page.getByRole('heading', { name: 'How you log in' })).toBeVisible();
});

test('a link that went to a former address leads to the email that takes the address back', async ({ browser }) => {
  const ann = await registeredPerson(world);
  const page = await strangerAdds(browser, ann);
  await page.goto(linkIn(await mailTo(world, ann.email, /^New way to log in: a passkey/)));
  await page.route('**/api/remove-sign-in', (route) => route.fulfill({ json: { password_mail: false } }));
  await removeButton(page).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Take your address back now' })).toBeVisible();
  await expect(page.getByText('Find our email “Your email address was changed”')).toBeVisible();
  await checkScreen(page);
});

test('a press that fails removes nothing, and the next one does', async ({ browser }) => {
  const ann = await registeredPerson(world);
  const page = await strangerAdds(browser, ann);
  await page.goto(linkIn(await mailTo(world, ann.email, /^New way to log in: a passkey/)));
  await page.route('**/api/remove-sign-in', (route) =>
    route.fulfill({ status: 503, json: { code: 'unavailable', error: 'We are busy right now. Please try again in a moment.' } }),
  );
  await removeButton(page).click();
  await expect(page.getByRole('alert')).toHaveText('We are busy right now. Please try again in a moment.');
  expect(await passkeysOf(ann)).toBe(1);
  await page.unroute('**/api/remove-sign-in');
  await removeButton(page).click();
  await expect(page.getByRole('status').filter({ hasText: 'We removed it, and logged everyone out.' })).toBeFocused();
});
