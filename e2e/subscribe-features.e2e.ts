// Its own server: it is started once with and once without the banner.
import { expect } from '@playwright/test';
import type { World } from '@porchlight/dev/world.ts';
import { checkScreen } from './lib/accessibility.ts';
import { pageOf, unconfirmedPerson } from './lib/accounts.ts';
import { openSubscribe, plan } from './lib/subscribe.ts';
import { test } from './lib/test.ts';
import { startTestWorld } from './lib/worlds.ts';

let world: World;
test.afterEach(async () => {
  await world?.close();
});

for (const banner of ['on', 'off']) {
  test(`[2.130] a red note above the plans mentions the unconfirmed address; the flag is ${banner}`, async ({ browser }) => {
    world = await startTestWorld({ env: { FEATURE_EMAIL_CHECK: 'off', FEATURE_UNVERIFIED_BANNER: banner } });
    const page = await pageOf(browser, world, await unconfirmedPerson(world));
    const profile = page.waitForResponse('**/api/web/profile');
    await openSubscribe(page, world);
    await profile;
    await expect(plan(page, 'Individual')).toBeVisible();
    const warning = page.getByText('Your email address is not verified. Please check your inbox.', { exact: true });
    await expect(warning).toHaveCount(banner === 'on' ? 1 : 0);
    await expect(page.getByText('Your email address is not verified. Check your inbox to verify your email.')).toHaveCount(0);
    if (banner === 'off') return;
    const redNote = page.locator('.note.bad', { has: warning });
    const [background, text] = await redNote.evaluate((element) => [
      getComputedStyle(element).backgroundColor,
      getComputedStyle(element).color,
    ]);
    expect([background, text]).toEqual(['rgb(251, 232, 228)', 'rgb(138, 21, 21)']);
    await checkScreen(page);
  });
}
