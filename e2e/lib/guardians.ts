import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { World } from '@porchlight/dev/world.ts';
import { linkIn, mailTo } from './screens.ts';

/** Opens the page of a guardian who was invited, and accepts. */
export async function acceptInvitation(page: Page, world: World, email: string): Promise<void> {
  await page.goto(linkIn(await mailTo(world, email, /guardian/)));
  await page.getByRole('button', { name: 'I will look out' }).click();
  await expect(page.getByRole('button', { name: 'I will look out' })).toHaveCount(0);
}

/** Invites a guardian by a call; `page` is then theirs. While an incident is open, such a call waits (P10.1). */
export async function inviteGuardian(page: Page, world: World, holder: { token: string }, name: string, email: string): Promise<void> {
  await call(world.url, 'POST /web/create-guardian', { token: holder.token, body: { name, email } });
  await acceptInvitation(page, world, email);
}

/**
 * A guardian who accepted before the holder's incident opened ends it on their page (P9.2), after which no call waits. `keep`: what was allowed
 * lately and stays so (P15.4).
 */
export async function endIncident(page: Page, world: World, holder: { token: string }, keep?: string): Promise<void> {
  const { items } = await call(world.url, 'GET /web/incidents', { token: holder.token, query: {} });
  const { origin, pathname } = new URL(page.url());
  await page.goto(`${origin}${pathname}?incident=${items[0]?.uuid}`);
  await page.getByRole('button', { name: 'It’s over' }).click();
  const dialog = page.getByRole('dialog');
  if (keep) {
    await dialog.getByRole('checkbox', { name: `Stop allowing ${keep}` }).uncheck();
    await dialog.getByRole('button', { name: 'Yes, it’s over' }).click();
  }
  await expect(page.getByText(/^It’s over\. We watch/)).toBeVisible();
  await page.goto(`${origin}${pathname}`);
}

/** Opens the link of the guardian's email about a held request, and answers. */
export async function answerRequest(page: Page, world: World, email: string, request: RegExp, answer: 'yes' | 'no'): Promise<void> {
  await page.goto(linkIn(await mailTo(world, email, request)));
  const question = page.getByRole('region', { name: request });
  if (answer === 'yes') await question.getByRole('button', { name: 'Yes, it is all right' }).click();
  else {
    await question.getByRole('button', { name: 'No, stop this' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'No, stop this' }).click();
  }
  await expect(page.getByRole('status').filter({ hasText: answer === 'yes' ? /^Thank you/ : /^You said no/ })).toBeFocused();
}
