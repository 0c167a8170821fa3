import { randomUUID } from 'node:crypto';
import { type Browser, expect, type Page } from '@playwright/test';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from './lib/accessibility.ts';
import { pageOf, reportAlert } from './lib/accounts.ts';
import { addButton, field, hits, rows } from './lib/allow-list.ts';
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
  await expect(rows(ann)).toHaveText([/until you remove itUntil .*: if it starts, we stop it and ask your guardians first\.Remove$/]);
  await reportAlert(world, { token: agent });
  await ann.reload();
  await expect(rows(ann)).toContainText(['It was started, and we stopped it. It stays off until someone says yes.']);
  await bob.goto(linkIn(await mailTo(world, email, /Ann wants to allow AnyDesk/)));
  return { ann, bob, email, token: person.token, device };
}

test('[P15.2] a guardian lets a program that was allowed on purpose stay, and it stays in the list', async ({ browser }) => {
  const { ann, bob } = await startedTooEarly(browser);
  await checkScreen(bob);
  await bob.getByRole('button', { name: 'Yes, from now on' }).click();
  await expect(bob.getByRole('status').filter({ hasText: 'Thank you' })).toBeFocused();
  await endIncident(bob, world, { token: (await ann.evaluate(() => localStorage.getItem('porchlight_token'))) ?? '' });
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
