import { type Browser, expect, type Page, test } from '@playwright/test';
import { confirmedPerson } from '@porchlight/dev/people.ts';
import { startWorld, type World } from '@porchlight/dev/world.ts';
import { fakeScreen } from '../lib/fake-screen.ts';
import { judge } from '../lib/judge.ts';
import { pageOf } from '../lib/people.ts';
import { addDevice, addGuardian, linkIn, mailTo, register, registerAndConfirm } from '../lib/screens.ts';
import { threats } from '../lib/threat.ts';

/** Every screen: axe in light and dark, nothing sideways at 320 px, everything that is pressed at least 44 px. */

let world: World;
let screen: Awaited<ReturnType<typeof fakeScreen>>;
let holder: Page;
let guardian: Page;
let ids: { device: string; code: string };

test.beforeAll(async ({ browser }) => {
  screen = await fakeScreen();
  world = await startWorld({ agent: true, env: screen.env });
  holder = await newPage(browser);
  guardian = await newPage(browser);
  await registerAndConfirm(holder, world, 'Ann Example', 'ann@example.org');
  const code = await addDevice(holder, 'Another device', 'Mum’s laptop');
  await holder.getByRole('link', { name: 'Continue to dashboard' }).click();
  await addDevice(holder, 'This device', 'Den PC');
  await expect(holder.getByText('Device connected')).toBeVisible();
  await addGuardian(holder, world, 'Bob', 'bob@example.org');
  await guardian.goto(linkIn(await mailTo(world, 'bob@example.org', /guardian/)));
  await guardian.getByRole('button', { name: 'I will look out' }).click();
  const programs = await threats(['AnyDesk']);
  programs.run('AnyDesk');
  await mailTo(world, 'ann@example.org', /AnyDesk/);
  await programs.close();
  await holder.goto(world.dashboardUrl);
  await holder.getByRole('link', { name: 'See what happened' }).click();
  ids = { device: /devices\/([^/]+)/.exec(holder.url())?.[1] ?? '', code };
});
test.afterAll(async () => {
  await world?.close();
});

const newPage = async (browser: Browser) => (await browser.newContext()).newPage();

/** As whom, which address, and what must be there before anything is judged. */
const screens: [name: string, who: 'guest' | 'holder' | 'guardian' | 'unconfirmed' | 'planless', path: () => string, ready: string][] = [
  ['login', 'guest', () => '/login?expired=1', 'Your login has expired. Please login again.'],
  ['register', 'guest', () => '/register', 'Confirm Password'],
  ['forgot password', 'guest', () => '/forgot-password', 'Send the mail'],
  ['reset password', 'guest', () => '/reset-password/x', 'Save new password'],
  ['confirm email', 'guest', () => '/confirm-email/x', 'Confirm my email address'],
  ['verify email', 'unconfirmed', () => '/verify-email', 'Send again'],
  ['not found', 'guest', () => '/nowhere', 'Page Not Found.'],
  ['share', 'guest', () => `/share/${ids.code}`, 'Three steps'],
  ['share, unknown code', 'guest', () => '/share/ABCD-EFGH', 'We do not know this code'],
  ['guardian', 'guardian', () => guardian.url().split('/dashboard')[1] ?? '', 'What to say'],
  ['guardian, dead link', 'guest', () => '/guardian/11111111-1111-4111-8111-111111111111/x', 'This link no longer works'],
  ['dashboard', 'holder', () => '/', 'See what happened'],
  ['subscribe', 'planless', () => '/subscribe', 'Start Subscription'],
  ['after the payment', 'planless', () => '/stripe/success', 'Please wait...'],
  ['profile', 'holder', () => '/profile', 'Save Profile'],
  ['guardians', 'holder', () => '/profile/guardians', 'Add a Guardian'],
  ['add device: machine', 'holder', () => '/add-device', 'Another device'],
  ['add device: policy', 'holder', () => '/add-device?step=policy', 'Protection profile'],
  ['device settings, not installed', 'holder', () => `/devices/${ids.device}`, 'Protection profile'],
  ['alert history', 'holder', () => `/devices/${ids.device}/detections`, 'What looks like AnyDesk was blocked'],
  ['remove device', 'holder', () => `/devices/${ids.device}/remove-device`, 'I understand that this will remove protection'],
];

for (const [name, who, path, ready] of screens) {
  test(`${name}: axe finds nothing in light and dark, nothing is lost at 320 px, everything pressed is large enough`, async ({
    browser,
  }) => {
    const page =
      who === 'holder'
        ? holder
        : who === 'guardian'
          ? guardian
          : await pageOf(browser, world, who === 'planless' ? await confirmedPerson(world) : null);
    if (who === 'unconfirmed') await register(page, world, 'New', 'new@example.org');
    else await page.goto(`${world.dashboardUrl}${path()}`);
    await expect(page.getByText(ready).first()).toBeVisible();
    if (name === 'alert history') await page.locator('summary').first().click();

    await judge(page);
  });
}

test('add device, where it waits to be connected, and the calm screen of the agent: the same', async () => {
  await holder.goto(world.dashboardUrl);
  await addDevice(holder, 'Another device', 'Third PC');
  await judge(holder);
  const [address = ''] = await screen.opened();
  const window = await holder.context().newPage();
  await window.goto(address);
  await expect(window.getByText('What happened', { exact: true })).toBeVisible();
  await judge(window);
  // An open page tells of what happens while it is open.
  const programs = await threats(['AnyDesk']);
  programs.run('AnyDesk');
  await expect(window.getByText(/2 times by now/)).toBeVisible({ timeout: 15_000 });
  await programs.close();
});
