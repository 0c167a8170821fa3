import { expect, type Locator, type Page } from '@playwright/test';
import { registeredPerson } from '@porchlight/dev/people.ts';
import { checkScreen, checkScreenZoomed } from './lib/accessibility.ts';
import { answer, banner, type IntegrationsWorld, startIntegrationsWorld } from './lib/integrations/integrations-world.ts';
import { logIn, termsBox } from './lib/screens.ts';
import { test } from './lib/test.ts';

/** The question about third parties: what it looks like, who can answer it, and that it stands in nobody's way. */

let outside: IntegrationsWorld;
test.beforeAll(async () => {
  outside = await startIntegrationsWorld();
});
test.afterAll(() => outside?.close());

const at = (path: string) => `${outside.world.dashboardUrl}${path}`;
const choices = (page: Page) => page.getByRole('button', { name: 'Privacy choices' });
const save = (page: Page) => banner(page).getByRole('button', { name: 'Save my choices' });
const services = (page: Page) => banner(page).getByRole('checkbox');
const no = (page: Page) => banner(page).getByRole('button', { name: 'No, thank you' });
const kept = (page: Page) => page.evaluate(() => JSON.parse(localStorage.getItem('porchlight_consent') ?? '{}') as unknown);

/** On both sides of the size from which on it stays in sight. */
const sizes: [width: number, height: number][] = [
  [1280, 800],
  [820, 760],
  [820, 759],
  [819, 760],
  [320, 256],
];

test('it says what each service is for, each with a switch that begins with no; the two buttons look the same and are the same size', async ({
  page,
}) => {
  await page.goto(at('/login'));
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
  const [first, second] = await banner(page)
    .getByRole('button')
    .evaluateAll((buttons) =>
      buttons.map((button) => {
        const { color, backgroundColor, border, font, opacity } = getComputedStyle(button);
        const { width, height, top } = button.getBoundingClientRect();
        return { color, backgroundColor, border, font, opacity, width, height, top };
      }),
    );
  expect(first).toEqual(second);
  expect(first?.height).toBeGreaterThanOrEqual(44);
});

test('the keyboard alone answers it, finds it again, and knows where it is', async ({ page }) => {
  await page.goto(at('/login'));
  await expect(banner(page)).toBeVisible();
  await tabTo(page, services(page).nth(1));
  await page.keyboard.press('Space');
  await tabTo(page, save(page));
  await page.keyboard.press('Enter');
  await expect(banner(page)).toHaveCount(0);
  expect(await kept(page)).toEqual({ chat: false, errors: true, analytics: false });
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
  expect(await kept(page)).toEqual({ chat: false, errors: false, analytics: false });
});

test('what was ticked stays so while the page behind it changes, and is what is kept', async ({ page }) => {
  const ann = await registeredPerson(outside.world);
  const ticked = () => services(page).evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).checked));
  await page.goto(at('/login'));
  await services(page).nth(0).check();
  await services(page).nth(2).check();
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('button', { name: 'Send the email' })).toBeVisible();
  expect(await ticked()).toEqual([true, false, true]);
  await page.goBack();
  await logIn(page, ann);
  await expect(page.getByRole('heading', { name: /^Good / })).toBeVisible();
  expect(await ticked()).toEqual([true, false, true]);
  // Who asks for it while it is there is led to it as it is.
  await choices(page).click();
  await expect(banner(page).getByRole('heading')).toBeFocused();
  expect(await ticked()).toEqual([true, false, true]);
  await save(page).click();
  await expect(banner(page)).toHaveCount(0);
  expect(await kept(page)).toEqual({ chat: true, errors: false, analytics: true });
});

for (const [width, height] of sizes) {
  test(`${width} by ${height}: whatever has the focus is in sight, and a short form with it`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await page.goto(at('/login'));
    await page.getByLabel('Email').fill('ann@example.org');
    await page.getByLabel('Password', { exact: true }).fill('x');
    await expect(banner(page)).toBeVisible();
    await page.evaluate(() => window.scrollTo(0, 0));
    const button = await page.getByRole('button', { name: 'Log in', exact: true }).boundingBox();
    const question = await banner(page).boundingBox();
    expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(question?.y ?? 0);

    await page.goto(at('/register'));
    for (const label of ['Name', 'Email', 'Password', 'Confirm Password'])
      await page.getByLabel(label, { exact: true }).fill('long enough, all of it');
    await termsBox(page).check();
    // It comes a moment after the page; what has the focus by then is brought into sight by the next key.
    await expect(banner(page)).toBeVisible();
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.getByLabel('Name').focus();
    await tabTo(page, page.getByRole('button', { name: 'Register' }));
    await tabTo(page, no(page));
  });
}

test('axe finds nothing in light and dark, nothing is lost at 320 px or at 400 %, nothing is covered', async ({ page }) => {
  await page.goto(at('/login'));
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

/** By the key alone; each thing on the way must be in sight when it has the focus. */
async function tabTo(page: Page, goal: Locator): Promise<void> {
  const passed: string[] = [];
  for (let step = 0; step < 40; step++) {
    await page.keyboard.press('Tab');
    passed.push(await focusInSight(page));
    if (await goal.evaluate((element) => element === document.activeElement)) {
      expect(passed.filter((what) => what !== '')).toEqual([]);
      return;
    }
  }
  throw new Error('the keyboard does not come there');
}

/** Nothing when the middle of what has the focus can be seen, else what lies over it. */
function focusInSight(page: Page): Promise<string> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return '';
    const { left, top, width, height } = focused.getClientRects()[0] ?? new DOMRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit && (focused.contains(hit) || hit.contains(focused)) && !hit.matches('.consent')
      ? ''
      : `${focused.outerHTML.slice(0, 80)} under ${hit?.outerHTML.slice(0, 80)}`;
  });
}
