// Its own server: it is started once with and once without the banner.
import { expect } from '@playwright/test';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf, unconfirmedPerson } from './lib/accounts.ts';
import { grant } from './lib/subscribe.ts';
import { test } from './lib/test.ts';
import { startTestWorld } from './lib/worlds.ts';

let world: World;
test.afterEach(async () => {
  await world?.close();
});

const bannerText = 'Your email address is not verified. Check your inbox to verify your email.';

for (const banner of ['on', 'off']) {
  test(`[2.44] with the email check off an unconfirmed address opens the dashboard; the banner is ${banner}`, async ({ browser }) => {
    world = await startTestWorld({ env: { FEATURE_EMAIL_CHECK: 'off', FEATURE_UNVERIFIED_BANNER: banner } });
    const ann = await unconfirmedPerson(world);
    await grant(world, ann, '--devices', '1');
    const page = await pageOf(browser, world, ann);
    // Once this content is visible the profile is loaded, and so is any banner.
    for (const [path, readyElement] of [
      ['', page.getByText(/^Signed in as /)],
      ['/profile', page.getByLabel('Email')],
    ] as const) {
      await page.goto(`${world.dashboardUrl}${path}`);
      await expect(readyElement).toBeVisible();
      await expect(page.getByText(bannerText, { exact: true })).toHaveCount(banner === 'on' ? 1 : 0);
    }
  });
}
