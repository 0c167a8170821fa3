// Its own server: its agent sees a desktop of the test.
import { expect } from '@playwright/test';
import type { World } from '@porchlight/dev/world.ts';
import { addButton, dialog, field, hits, rows } from './lib/allow-list.ts';
import { fakeDesktop } from './lib/fake-desktop.ts';
import { hasEnded, type Threats, threats } from './lib/fake-threats.ts';
import { endIncidents } from './lib/incidents.ts';
import { addDevice, registerAndConfirm } from './lib/screens.ts';
import { test } from './lib/test.ts';
import { startTestWorld } from './lib/worlds.ts';

let world: World;
let programs: Threats;
test.beforeAll(async () => {
  world = await startTestWorld({ agent: true, env: (await fakeDesktop()).env });
  programs = await threats(['AnyDesk', 'TeamViewer']);
});
test.afterAll(async () => {
  await programs?.close();
  await world?.close();
});

test('a stopped program runs while it is allowed for an hour, and is stopped again after its removal from the list, all within seconds', async ({
  page,
}) => {
  await registerAndConfirm(page, world, 'Ann Example', 'ann@example.org');
  await addDevice(page, 'This device', 'Den PC');
  await expect(page.getByText('Device connected')).toBeVisible({ timeout: 10_000 });
  const processBefore = programs.run('AnyDesk');
  await expect.poll(() => hasEnded(processBefore), { timeout: 5000 }).toBe(true);

  // In an incident an addition to the allow list waits.
  await endIncidents(world);
  await page.getByRole('link', { name: 'Continue to dashboard' }).click();
  await page.getByRole('link', { name: 'Manage Den PC' }).click();
  await page.getByRole('link', { name: 'Allow List' }).click();
  await addButton(page).click();
  await field(page).fill('anydesk');
  await page.getByLabel('for 1 hour').check();
  await hits(page).click();
  await page.getByRole('button', { name: 'Allow AnyDesk' }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(rows(page)).toHaveText([/^AnyDesk Program\s*Allowed since (?:today|yesterday) at \d{1,2}:\d\d [AP]M, until/]);

  // The agent has the new list if a new process still runs after another program, started later, was stopped.
  let allowedProcess = programs.run('AnyDesk');
  await expect
    .poll(
      async () => {
        if (hasEnded(allowedProcess)) allowedProcess = programs.run('AnyDesk');
        const otherProcess = programs.run('TeamViewer');
        await expect.poll(() => hasEnded(otherProcess), { timeout: 5000 }).toBe(true);
        return hasEnded(allowedProcess);
      },
      { message: 'AnyDesk to run', timeout: 10_000 },
    )
    .toBe(false);

  await rows(page).getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('You have not added any allowed websites or programs.')).toBeVisible();
  await expect.poll(() => hasEnded(allowedProcess), { timeout: 5000 }).toBe(true);
  expect(allowedProcess.signalCode).toBe('SIGKILL');
});
