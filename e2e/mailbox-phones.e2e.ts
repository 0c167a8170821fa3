import { expect } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { registeredPerson } from './lib/people.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

/** The phones on the page of the local mailbox, with the real server and its own timers. */

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});
let ann: Person;
test.beforeAll(async () => {
  ann = await registeredPerson(world);
});

test('a phone rings on the mailbox page, is picked up, and a pressed 1 is what the server stores [P11.1]', async ({ page }) => {
  const { token } = ann;
  const person = { name: 'Mum', phone_number: '+12025550143', is_holder: false };
  const { uuid: id } = await call(world.url, 'POST /web/create-device', { token, body: { name: 'Laptop', policy: null, person } });
  await call(world.url, 'POST /web/devices/:id/call-consent', { token, params: { id } });
  const key = world.simulatorCookie().cookie.split('=')[1];
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto(`${world.mailboxUrl}?key=${key}`);
  await page.getByRole('link', { name: 'Phone is ringing' }).click();
  await page.getByRole('button', { name: 'Pick up' }).click();
  await expect(page.getByText('To say yes, press 1.').first()).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.getByRole('button', { name: 'Press 1' }).click();
  await expect(page.getByRole('status')).toHaveText('The call has ended.');
  const consent = () => call(world.url, 'GET /web/devices/:id/call-consent', { token, params: { id } });
  expect(await consent()).toMatchObject({ state: 'agreed', calling: false });
});
