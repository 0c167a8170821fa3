import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import type { World } from '@porchlight/dev/world.ts';
import { notify } from '@porchlight/server/db/notify.ts';
import type { Db } from '@porchlight/server/db/open.ts';
import { inDatabase } from './database.ts';

/** Waits until an incident is open, and ends all, as the day after their last openers would (P9.2): then no weakening call waits. */
export const endIncidents = (world: World): Promise<void> =>
  inDatabase(world, async (db) => {
    const end = () => db.updateTable('incidents').set({ over: new Date() }).where('over', 'is', null).executeTakeFirstOrThrow();
    await expect.poll(async () => (await end()).numUpdatedRows, { message: 'an open incident', timeout: 15_000 }).toBeGreaterThan(0n);
    // The policies of the devices change with it: their locks end (P10.5).
    await policiesChange(db);
  });

async function policiesChange(db: Db): Promise<void> {
  const devices = await db
    .updateTable('devices')
    .set(({ eb }) => ({ policy_version: eb('policy_version', '+', 1) }))
    .returning('uuid')
    .execute();
  for (const { uuid } of devices) await notify(db, 'device', uuid);
}

/**
 * As if somebody had agreed to all changes so far: what they let run is not reported for a day (P9.1). Waits until the world's agent has a
 * policy that matches.
 */
export async function agreeToChanges(world: World, policy: RegExp): Promise<void> {
  await inDatabase(world, async (db) => {
    await db.updateTable('activity_log').set({ counted: null }).execute();
    await policiesChange(db);
  });
  await expect.poll(() => readFile(join(world.dataDir, 'agent', 'policy.json'), 'utf8'), { timeout: 20_000 }).toMatch(policy);
}

/** Ends all incidents, and waits until the window at the computer asks for the PIN again instead of a code. The window is then at the pause. */
export async function pinIsEnough(world: World, window: Page): Promise<void> {
  await endIncidents(world);
  await expect(async () => {
    await window.goto(new URL('pause', window.url()).href);
    await expect(window.getByLabel('The Admin PIN')).toBeVisible({ timeout: 500 });
  }).toPass({ intervals: [200], timeout: 30_000 });
}

/** A guardian reads on their open page what `wants` to change, and says yes (P10.1). */
export async function sayYes(guardianPage: Page, wants: RegExp): Promise<void> {
  await guardianPage.reload();
  const yesIn = (part: Locator) => part.getByRole('button', { name: 'Yes, it is all right' });
  await yesIn(guardianPage.getByRole('region', { name: wants })).click();
  const thanks = guardianPage.getByRole('status').filter({ hasText: 'Thank you. They can go on now.' });
  const confirm = yesIn(guardianPage.getByRole('dialog'));
  await expect(thanks.or(confirm)).toBeVisible();
  if (await confirm.isVisible()) await confirm.click();
  await expect(thanks).toBeVisible();
}
