import { expect, type Page } from '@playwright/test';
import type { World } from '@porchlight/dev/world.ts';
import { inDatabase } from './database.ts';

/** Waits until an incident is open, and ends all, as the day after their last openers would (P9.2): then no weakening call waits. */
export const endIncidents = (world: World): Promise<void> =>
  inDatabase(world, async (db) => {
    const end = () => db.updateTable('incidents').set({ over: new Date() }).where('over', 'is', null).executeTakeFirstOrThrow();
    await expect.poll(async () => (await end()).numUpdatedRows, { message: 'an open incident', timeout: 15_000 }).toBeGreaterThan(0n);
  });

/** A guardian reads on their open page what `wants` to change, and says yes (P10.1). */
export async function sayYes(guardianPage: Page, wants: RegExp): Promise<void> {
  await guardianPage.reload();
  const question = guardianPage.getByRole('region', { name: wants });
  await question.getByRole('button', { name: 'Yes, it is all right' }).click();
  await guardianPage.getByRole('dialog').getByRole('button', { name: 'Yes, it is all right' }).click();
  await expect(guardianPage.getByRole('status').filter({ hasText: 'Thank you. They can go on now.' })).toBeVisible();
}
