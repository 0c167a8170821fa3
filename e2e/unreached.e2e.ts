import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import type { Person } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from './lib/accessibility.ts';
import { pageOf } from './lib/accounts.ts';
import { inDatabase } from './lib/database.ts';
import { inviteGuardian } from './lib/guardians.ts';
import { linkedDevice, registeredPerson } from './lib/people.ts';
import { withWorld } from './lib/setup.ts';
import { test } from './lib/test.ts';

let world: World;
let ann: Person;
withWorld((startedWorld) => {
  world = startedWorld;
});
test.beforeEach(async () => {
  ann = await registeredPerson(world);
});

const state = (page: Page) => page.getByRole('region', { name: 'Is everyone safe?' });
const newAddress = 'Ask Bob for the right email address. Then remove Bob under Guardians, and add them again.';

/** As if a mail server had refused the newest emails of this account for good: `name` is of a guardian, or null for the holder. */
async function mailFailed(name: string | null): Promise<void> {
  await inDatabase(world, async (db) => {
    const account = await db.selectFrom('accounts').select('uuid').where('email', '=', ann.email).executeTakeFirstOrThrow();
    const guardian =
      name && (await db.selectFrom('guardians').select('uuid').where('account', '=', account.uuid).executeTakeFirstOrThrow());
    const key = `e2e:${account.uuid}:${name}`;
    const times = { run_at: new Date(), created: new Date(), failed_at: new Date() };
    const payload = JSON.stringify({ to: ann.email });
    await db
      .insertInto('jobs')
      .values({ id: randomUUID(), kind: 'mail', unique_key: key, payload, ...times, lane: 'mail_urgent', why: 'no_address' })
      .execute();
    await db
      .insertInto('deliveries')
      .values({
        ...{ key, account: account.uuid, kind: 'alert', about: key, guardian: guardian ? guardian.uuid : null, name: name ?? 'Ann' },
        ...{ channel: 'mail', state: 'failed', time: new Date(), why: 'no_address' },
      })
      .execute();
  });
}

test('[P11.4] a guardian whom nothing reaches is on the home screen in amber, with a link to the guardians, where the same is written', async ({
  browser,
  page: bob,
}) => {
  await linkedDevice(world, ann, 'Den PC');
  await inviteGuardian(bob, world, ann, 'Bob', `bob-${ann.email}`);
  const page = await pageOf(browser, world, ann);
  await page.goto(world.dashboardUrl);
  await expect(state(page).getByRole('heading')).toHaveText('Everyone is protected');
  await expect(page.getByText('We never ask you for anything. We call only after a stop, and only if you agreed to it.')).toBeVisible();
  await mailFailed('Bob');
  await expect(state(page).getByRole('heading')).toHaveText('We can’t reach Bob');
  await expect(state(page)).toContainText(`Our emails don’t arrive. ${newAddress}`);
  await expect(state(page)).toContainText('Den PC is on and protected.');
  await expect(state(page)).not.toContainText('Everyone');
  await expect(page.getByText('We can’t reach Bob now.')).toBeVisible();
  await expect(page.getByText(/Bob hears from us/)).toHaveCount(0);
  await pictures(page, 'unreached-guardian');
  await checkScreen(page);
  await state(page).getByRole('link', { name: 'See your guardians' }).click();
  await expect(page).toHaveURL(`${world.dashboardUrl}/profile/guardians`);
  await expect(page.getByText(`We can’t reach Bob. Our emails don’t arrive. ${newAddress}`)).toBeVisible();
});

test('[P11.4] an address of the holder that fails is on the home screen after what matters more, with a link to the profile', async ({
  browser,
}) => {
  await linkedDevice(world, ann, 'Den PC');
  await call(world.url, 'POST /web/create-device', { token: ann.token, body: { name: 'Attic Mac', policy: null } });
  await mailFailed(null);
  const page = await pageOf(browser, world, ann);
  await page.goto(world.dashboardUrl);
  await expect(state(page).getByRole('heading')).toHaveText('Attic Mac is waiting to be installed');
  await expect(state(page)).toContainText(`We can’t reach you by email. Our emails to ${ann.email} come back.`);
  await pictures(page, 'unreached-holder');
  await checkScreen(page);
  await state(page).getByRole('link', { name: 'Check your email address' }).click();
  await expect(page).toHaveURL(`${world.dashboardUrl}/profile`);
});

async function pictures(page: Page, name: string): Promise<void> {
  if (!process.env.PICTURES) return;
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 1280]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: `${process.env.PICTURES}/${name}-${colorScheme}-${width}.png`, fullPage: true });
    }
}
