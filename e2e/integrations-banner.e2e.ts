// Its own server: it calls services of the test.
import { expect, type Locator, type Page } from '@playwright/test';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { answer, banner, type IntegrationsWorld, startIntegrationsWorld } from './lib/integrations/integrations-world.ts';
import { registeredPerson } from './lib/people.ts';
import { logIn, termsBox } from './lib/screens.ts';
import { test } from './lib/test.ts';

let integrations: IntegrationsWorld;
test.beforeAll(async () => {
  integrations = await startIntegrationsWorld();
});
test.afterAll(() => integrations?.close());

const urlOf = (path: string) => `${integrations.world.dashboardUrl}${path}`;
const choices = (page: Page) => page.getByRole('button', { name: 'Privacy choices' });
const save = (page: Page) => banner(page).getByRole('button', { name: 'Save my choices' });
const services = (page: Page) => banner(page).getByRole('checkbox');
const no = (page: Page) => banner(page).getByRole('button', { name: 'No, thank you' });
const storedConsent = (page: Page) => page.evaluate(() => JSON.parse(localStorage.getItem('porchlight_consent') ?? '{}') as unknown);

/** Window sizes around the one from which on the banner is sticky. */
const sizes: [width: number, height: number][] = [
  [1280, 800],
  [820, 760],
  [820, 759],
  [819, 760],
  [320, 256],
];

test('the consent banner explains each service beside a switch that starts off, and its two buttons have the same style and size', async ({
  page,
}) => {
  await page.goto(urlOf('/login'));
  for (const [i, name] of [
    'A chat window, so you can write to our support team.',
    'A report to us when a page breaks. All words, and everything you type, are blacked out.',
    'A count of which pages are opened. It doesn’t know who you are.',
  ].entries()) {
    await expect(services(page).nth(i)).toHaveAccessibleName(name);
    await expect(services(page).nth(i)).not.toBeChecked();
  }
  await expect(services(page)).toHaveCount(3);
  await expect(banner(page).getByRole('button')).toHaveCount(2);
  const [firstStyle, secondStyle] = await banner(page)
    .getByRole('button')
    .evaluateAll((buttons) =>
      buttons.map((button) => {
        const { color, backgroundColor, border, font, opacity } = getComputedStyle(button);
        const { width, height, top } = button.getBoundingClientRect();
        return { color, backgroundColor, border, font, opacity, width, height, top };
      }),
    );
  expect(firstStyle).toEqual(secondStyle);
  expect(firstStyle?.height).toBeGreaterThanOrEqual(44);
});

test('the keyboard alone answers the consent banner and reopens it, and the focus stays visible', async ({ page }) => {
  await page.goto(urlOf('/login'));
  await expect(banner(page)).toBeVisible();
  await tabTo(page, services(page).nth(1));
  await page.keyboard.press('Space');
  await tabTo(page, save(page));
  await page.keyboard.press('Enter');
  await expect(banner(page)).toHaveCount(0);
  expect(await storedConsent(page)).toEqual({ chat: false, errors: true, analytics: false });
  await expect(choices(page)).toBeFocused();
  await expect(page.getByRole('status').filter({ hasText: 'You can change this any time with Privacy choices.' })).toHaveCount(1);

  await page.keyboard.press('Enter');
  await expect(banner(page).getByRole('heading')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(services(page).first()).toBeFocused();
  await expect(services(page).nth(1)).toBeChecked();
  await tabTo(page, save(page));
  await page.keyboard.press('Tab');
  await expect(no(page)).toBeFocused();
  await page.keyboard.press('Space');
  await expect(choices(page)).toBeFocused();
  expect(await storedConsent(page)).toEqual({ chat: false, errors: false, analytics: false });
});

test('ticked services stay ticked while the page behind the consent banner changes, and are then saved', async ({ page }) => {
  const ann = await registeredPerson(integrations.world);
  const ticked = () => services(page).evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).checked));
  await page.goto(urlOf('/login'));
  await services(page).nth(0).check();
  await services(page).nth(2).check();
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('button', { name: 'Send the email' })).toBeVisible();
  expect(await ticked()).toEqual([true, false, true]);
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeVisible();
  await logIn(page, ann);
  await expect(page.getByRole('heading', { name: /^Good / })).toBeVisible();
  expect(await ticked()).toEqual([true, false, true]);
  await choices(page).click();
  await expect(banner(page).getByRole('heading')).toBeFocused();
  expect(await ticked()).toEqual([true, false, true]);
  await save(page).click();
  await expect(banner(page)).toHaveCount(0);
  expect(await storedConsent(page)).toEqual({ chat: true, errors: false, analytics: true });
});

for (const [width, height] of sizes) {
  test(`at ${width} by ${height} the consent banner covers neither the focused element nor a short form`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await page.goto(urlOf('/login'));
    await page.getByLabel('Email').fill('ann@example.org');
    await page.getByLabel('Password', { exact: true }).fill('x');
    await expect(banner(page)).toBeVisible();
    await page.evaluate(() => window.scrollTo(0, 0));
    const button = await page.getByRole('button', { name: 'Log in', exact: true }).boundingBox();
    const question = await banner(page).boundingBox();
    expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(question?.y ?? 0);

    await page.goto(urlOf('/register'));
    for (const label of ['Name', 'Email', 'Password', 'Confirm Password'])
      await page.getByLabel(label, { exact: true }).fill('long enough, all of it');
    await termsBox(page).check();
    // The banner appears later than the page; the next key scrolls the focus into view.
    await expect(banner(page)).toBeVisible();
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.getByLabel('Name').focus();
    await tabTo(page, page.getByRole('button', { name: 'Register' }));
    await tabTo(page, no(page));
  });
}

test('the consent banner passes axe in light and dark, loses nothing at 320 px or at 400 %, and covers nothing', async ({ page }) => {
  await page.goto(urlOf('/login'));
  await expect(banner(page)).toBeVisible();
  await checkScreen(page);
  await checkScreenZoomed(page);
  await answer(page, false);
  await checkScreen(page);
  await choices(page).click();
  await expect(services(page).first()).not.toBeChecked();
  await checkScreen(page);
  await checkScreenZoomed(page);
});

/** Presses Tab until `target` has the focus; each stop must be visible. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  const passed: string[] = [];
  for (let step = 0; step < 40; step++) {
    await page.keyboard.press('Tab');
    passed.push(await focusInSight(page));
    if (await target.evaluate((element) => element === document.activeElement)) {
      expect(passed.filter((problem) => problem !== '')).toEqual([]);
      return;
    }
  }
  throw new Error('the keyboard does not come there');
}

/** Empty if the focus is visible, else what covers it. */
function focusInSight(page: Page): Promise<string> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return '';
    const { left, top, width, height } = focused.getClientRects()[0] ?? new DOMRect();
    const topElement = document.elementFromPoint(left + width / 2, top + height / 2);
    return topElement && (focused.contains(topElement) || topElement.contains(focused)) && !topElement.matches('.consent')
      ? ''
      : `${focused.outerHTML.slice(0, 80)} under ${topElement?.outerHTML.slice(0, 80)}`;
  });
}
