import { randomUUID } from 'node:crypto';
import { type Browser, expect, type Page } from '@playwright/test';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from './lib/accessibility.ts';
import { pageOf, reportAlert } from './lib/accounts.ts';
import { addButton, dialog, field, hits, rows } from './lib/allow-list.ts';
import { endIncident, inviteGuardian } from './lib/guardians.ts';
import { linkedDevice, registeredPerson } from './lib/people.ts';
import { linkIn, mailTo } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});

/** Ann allows AnyDesk through her dashboard, and starts it within the hour. */
async function startedTooEarly(browser: Browser): Promise<{ ann: Page; bob: Page; email: string; token: string; device: string }> {
  const person = await registeredPerson(world);
  const { uuid: device, token: agent } = await linkedDevice(world, person);
  const [ann, bob, email] = [await pageOf(browser, world, person), await pageOf(browser, world, null), `bob-${randomUUID()}@example.org`];
  await inviteGuardian(bob, world, person, 'Bob Example', email);
  await ann.goto(`${world.dashboardUrl}/devices/${device}/allowlist`);
  await addButton(ann).click();
  await field(ann).fill('anydesk');
  await hits(ann).click();
  const question = ann.getByRole('dialog', { name: 'Allow AnyDesk?' });
  await expect(question).toContainText('For the first hour we stop it when it starts, and ask your guardians. They can let it stay.');
  await question.getByRole('button', { name: 'Allow AnyDesk' }).click();
  const added =
    'AnyDesk is on the allow list now. For the first hour we stop it when it starts, and ask your guardians. Changes can take up to an hour, or take effect right away after restarting the device.';
  await expect(ann.getByText(added, { exact: true })).toBeVisible();
  await expect(rows(ann)).toHaveText([/until you remove itUntil .*: if it starts, we stop it and ask your guardians first\.Remove$/]);
  await reportAlert(world, { token: agent });
  await ann.reload();
  await expect(rows(ann)).toHaveText([
    /^AnyDesk Program\s*Added .*\. It was started, and we stopped it\. It stays off until someone says yes\.Remove$/,
  ]);
  await bob.goto(linkIn(await mailTo(world, email, /Ann wants to allow AnyDesk/)));
  return { ann, bob, email, token: person.token, device };
}

test('[P15.2] a guardian lets a program that was allowed on purpose stay, and it stays in the list', async ({ browser }) => {
  const { ann, bob } = await startedTooEarly(browser);
  await expect(bob.getByRole('button', { name: /^Yes/ })).toHaveText(['Yes, for an hour', 'Yes, from now on']);
  await checkScreen(bob);
  await bob.getByRole('button', { name: 'Yes, from now on' }).click();
  await expect(bob.getByRole('status').filter({ hasText: 'Thank you' })).toBeFocused();
  await endIncident(bob, world, { token: (await ann.evaluate(() => localStorage.getItem('porchlight_token'))) ?? '' }, 'AnyDesk');
  await ann.reload();
  await expect(rows(ann)).toHaveText([/^AnyDesk Program\s*Allowed since .*, until you remove itRemove$/]);
});

test('[P15.2] after a no the list names the guardian, until that is taken off the list', async ({ browser }) => {
  const { ann, bob } = await startedTooEarly(browser);
  await bob.getByRole('button', { name: 'No, stop this' }).click();
  await bob.getByRole('dialog').getByRole('button', { name: 'No, stop this' }).click();
  await expect(bob.getByRole('status').filter({ hasText: /^You said no/ })).toBeFocused();
  await ann.reload();
  await expect(rows(ann)).toHaveText([/^AnyDesk Program\s*Bob said no .*, so it isn’t allowed\.Take off the list$/]);
  await checkScreen(ann);
  await rows(ann).getByRole('button', { name: 'Take off the list' }).click();
  await expect(ann.getByText('You have not added any allowed websites or programs.')).toBeVisible();
});

test('[P15.2] for somebody else’s computer the dialog asks for the password first, and then allows the program', async ({ browser }) => {
  const person = await registeredPerson(world);
  const { uuid: device } = await linkedDevice(world, person);
  const page = await pageOf(browser, world, person);
  // A computer counts as somebody else's after days of use.
  await page.route('**/v2/exceptions', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    const reply = await route.fetch();
    return route.fulfill({ response: reply, json: { ...(await reply.json()), remote_control: 'runs_with_password' } });
  });
  const calls: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && calls.push(new URL(request.url()).pathname));
  await page.goto(`${world.dashboardUrl}/devices/${device}/allowlist`);
  await addButton(page).click();
  await field(page).fill('anydesk');
  await hits(page).click();
  const question = page.getByRole('dialog', { name: 'Allow AnyDesk?' });
  await expect(question).toContainText('It can start at once.');
  await question.getByRole('button', { name: 'Allow AnyDesk' }).click();
  await expect(dialog(page)).toContainText('Enter your password to allow AnyDesk.');
  await expect(dialog(page).getByLabel('Password')).toBeFocused();
  expect(calls).toEqual([]);
  await checkScreen(page);
  await dialog(page).getByLabel('Password').fill(person.password);
  await dialog(page).getByRole('button', { name: 'Allow AnyDesk' }).click();
  await expect(rows(page)).toHaveText([/^AnyDesk Program.*until you remove it/]);
  expect(calls).toEqual(['/api/web/reauthenticate', `/api/web/devices/${device}/v2/exceptions`]);
});
