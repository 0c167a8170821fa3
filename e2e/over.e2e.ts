import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { day } from '@porchlight/contract/time.ts';
import { call } from '@porchlight/dev/call.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { pageOf, reportAlert } from './lib/accounts.ts';
import { rows } from './lib/allow-list.ts';
import { inDatabase } from './lib/database.ts';
import { inviteGuardian } from './lib/guardians.ts';
import { linkedDevice, registeredPerson } from './lib/people.ts';
import { linkIn, mailTo } from './lib/screens.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
withWorld((startedWorld) => {
  world = startedWorld;
});

test('[P15.4] [2.55] a guardian reads before *It’s over* what is allowed then; what was allowed today is taken off by the press, what was allowed three days before stays, and the device’s row is calm', async ({
  browser,
}) => {
  const person = await registeredPerson(world);
  const { uuid: device, token: agent } = await linkedDevice(world, person);
  const [ann, bob, email] = [await pageOf(browser, world, person), await pageOf(browser, world, null), `bob-${randomUUID()}@example.org`];
  await inviteGuardian(bob, world, person, 'Bob Example', email);
  const allow = (identifier: string) =>
    call(world.url, 'POST /web/devices/:id/v2/exceptions', {
      token: person.token,
      params: { id: device },
      body: { type: 'definition', identifier, lasts: null },
    });
  const { id } = await allow('teamviewer');
  await inDatabase(world, async (db) => {
    const before = new Date(Date.now() - 3 * day);
    await db.updateTable('allow_list').set({ added: before }).where('id', '=', id).execute();
    await db.updateTable('activity_log').set({ time: before }).where('device', '=', device).execute();
  });
  await allow('anydesk');
  await reportAlert(world, { token: agent });
  const alert = ann.getByRole('listitem').filter({ hasText: 'Den PC' }).getByText('Alert', { exact: true });
  await ann.goto(world.dashboardUrl);
  await expect(alert).toBeVisible();

  await bob.goto(linkIn(await mailTo(world, email, /AnyDesk/)));
  await bob.getByRole('link', { name: 'See what happened' }).first().click();
  await bob.getByRole('button', { name: 'It’s over' }).click();
  const dialog = bob.getByRole('dialog', { name: 'Is it over?' });
  await expect(dialog.getByRole('listitem')).toHaveText([
    'Stop allowing AnyDesk Off until someone says yes.',
    'Stop allowing TeamViewer Allowed until it’s removed.',
  ]);
  await expect(dialog.getByRole('checkbox', { name: 'Stop allowing AnyDesk' })).toBeChecked();
  await expect(dialog.getByRole('checkbox', { name: 'Stop allowing TeamViewer' })).not.toBeChecked();
  await checkScreen(bob);
  await checkScreenZoomed(bob);
  await dialog.getByRole('button', { name: 'Yes, it’s over' }).click();
  await expect(bob.getByRole('region', { name: 'What to do first' })).toContainText('It’s over. We watch Den PC closely until');
  await expect(bob.getByRole('region', { name: 'What happened' })).toContainText('Bob said it’s over, and stopped allowing AnyDesk.');

  await expect(alert).toHaveCount(0, { timeout: 20_000 });
  const icon = ann.getByRole('listitem').filter({ hasText: 'Den PC' }).getByRole('img');
  await expect(icon).toHaveAccessibleName(/^Last stopped (?:today|yesterday) at \d{1,2}:\d\d [AP]M$/);
  await checkScreen(ann);
  await ann.goto(`${world.dashboardUrl}/devices/${device}/allowlist`);
  await expect(rows(ann)).toHaveText([/^TeamViewer Program\s*Allowed since .*, until you remove itRemove$/]);
});
