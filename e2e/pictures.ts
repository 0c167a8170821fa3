// Takes the pictures of README.md and docs/ from the real product: node e2e/pictures.ts [FOLDER]; without a folder, into docs/pictures.
import { mkdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { buildDashboard } from '@porchlight/dev/build-dashboard.ts';
import { call } from '@porchlight/dev/call.ts';
import { root } from '@porchlight/dev/root.ts';
import { launchBrowser, moveIn, startTown } from './coached/household.ts';
import { startAndExpectEnd } from './coached/steps.ts';
import { inDatabase } from './lib/database.ts';
import { mailTo } from './lib/screens.ts';

const maxBytes = 150_000;

// The simulated computer is there too, and its time is in the emails.
process.env.TZ = 'America/New_York';

const folder = resolve(process.argv[2] ?? join(root, 'docs', 'pictures'));

async function takePicture(page: Page, name: string, height: number): Promise<void> {
  const path = join(folder, `${name}.png`);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1000, height });
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path, animations: 'disabled' });
  const { size } = await stat(path);
  if (size > maxBytes) throw new Error(`${path} has ${size} bytes, more than ${maxBytes}: make the picture smaller.`);
  console.log(`${path} (${Math.round(size / 1000)} kB)`);
}

/** AnyDesk starts on the simulated Windows computer of Ann, whose guardian is Bob; the agent ends it. */
async function takePictures(): Promise<void> {
  await buildDashboard(console.log);
  await mkdir(folder, { recursive: true });
  const browser = await launchBrowser();
  const town = await startTown(browser);
  const household = await moveIn(town);
  const { computer, window, dashboard, bob, ann } = household;
  try {
    if (!bob) throw new Error('The household has no guardian.');
    // The helper's addresses are random.
    await inDatabase(town.world, (db) =>
      db.updateTable('accounts').set({ email: 'ann@example.org' }).where('email', '=', ann.email).executeTakeFirstOrThrow(),
    );
    await call(town.world.url, 'POST /web/create-device', { token: ann.token, body: { name: 'Mum’s laptop' } });
    await startAndExpectEnd(household, { name: 'AnyDesk.exe', product: 'AnyDesk', company: 'AnyDesk Software GmbH' });
    const mail = await mailTo(town.world, bob.email, /AnyDesk/);
    await expect.poll(() => computer.opened.length).toBeGreaterThan(0);
    await window.goto(computer.opened.at(-1) ?? '');
    await expect(window.getByRole('heading', { level: 1, name: /AnyDesk/ })).toBeVisible();
    await expect(window.getByText('as soon as there is a connection')).toHaveCount(0);
    await takePicture(window, 'calm-screen', 625);

    await bob.phone.reload();
    await expect(bob.phone.getByRole('heading', { name: /AnyDesk/ }).first()).toBeVisible();
    await takePicture(bob.phone, 'guardian-page', 690);

    await dashboard.goto(town.world.dashboardUrl);
    await expect(dashboard.getByRole('heading', { name: /AnyDesk/ }).first()).toBeVisible();
    await takePicture(dashboard, 'dashboard', 980);

    const mailPage = await dashboard.context().newPage();
    await mailPage.setContent(mail.html);
    await takePicture(mailPage, 'alert-email', 700);
  } finally {
    await household.close();
    await town.close();
    await browser.close();
  }
}

await takePictures();
