import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** What every screen must stand up to. */

const tags = ['wcag2a', 'wcag2aa', 'wcag2aaa', 'wcag22aa', 'best-practice'];

/** The rules that a colour can break; what else axe looks at is the same in the dark. */
const byColour = ['color-contrast', 'color-contrast-enhanced', 'link-in-text-block'];

/** axe in both schemes with contrast of 7:1, nothing sideways at 320 px, everything that is pressed large enough. */
export async function checkScreen(page: Page): Promise<void> {
  await allThere(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Without a page of its own for each result: nothing here lies in frames of another origin.
    const axe = new AxeBuilder({ page }).setLegacyMode();
    const { violations, passes } = await (colorScheme === 'light' ? axe.withTags(tags) : axe.withRules(byColour)).analyze();
    expect(
      violations.map(
        (v) =>
          `${v.id}: ${v.nodes
            .map((n) => n.html)
            .join(' ')
            .slice(0, 300)}`,
      ),
    ).toEqual([]);
    expect(passes.length).toBeGreaterThan(colorScheme === 'light' ? 10 : 0);
  }
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  expect(await tooSmall(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(await tooSmall(page)).toEqual([]);
}

/** A screen that still waits for what it shows is no screen to judge. */
async function allThere(page: Page): Promise<void> {
  await expect(page.locator('.skeleton')).toHaveCount(0);
}

/** Buttons, links and fields under 44 px in height; links within a sentence are as high as its lines, and the rules allow that. */
function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, summary')].flatMap((element) => {
      const target = element.closest('label') ?? element;
      const { height, width } = target.getBoundingClientRect();
      const hidden = height === 0 || width === 0 || element.classList.contains('skip');
      const inSentence =
        element.tagName === 'A' &&
        getComputedStyle(element).display === 'inline' &&
        element.parentElement?.textContent !== element.textContent;
      return hidden || inSentence || height >= 43.5
        ? []
        : [`${element.outerHTML.slice(0, 120)}: ${Math.round(width)} x ${Math.round(height)}`];
    }),
  );
}

/**
 * 400 % zoom on a screen of 1280 by 1024: nothing sideways, no word lost that a wide window shows, and everything that can be
 * pressed or filled in can be brought to where it is neither cut off nor covered.
 */
export async function checkScreenZoomed(page: Page): Promise<void> {
  await allThere(page);
  await page.setViewportSize({ width: 1280, height: 1024 });
  const wide = await words(page);
  await page.setViewportSize({ width: 320, height: 256 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  expect(wide.filter((line) => line !== '').length).toBeGreaterThan(3);
  expect(await words(page)).toEqual(wide);
  expect(await outOfReach(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** What can be read, line breaks and empty lines apart, and without the seconds of a countdown, which goes on. */
async function words(page: Page): Promise<string[]> {
  const text = await page.evaluate(() => document.body.innerText);
  return text.replace(/\bin \d+ s\b/g, 'in a moment').split(/\s+/);
}

/** What can be pressed or filled in, and is covered or cut off wherever one scrolls. While a dialog is open that is all that counts; of two, the question above. */
function outOfReach(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const within = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
    return [...within.querySelectorAll<HTMLElement>('a[href], button, input, select, summary')].flatMap((element) => {
      if (element.classList.contains('skip') || !element.checkVisibility()) return [];
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
      // The first box of a link that is broken over two lines.
      const { left, top, width, height } = element.getClientRects()[0] ?? new DOMRect();
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      const own = element.closest('label') ?? element;
      return hit && own.contains(hit) && left >= 0 && left + width <= 320
        ? []
        : [`${element.outerHTML.slice(0, 120)}: under ${hit?.outerHTML.slice(0, 80)}`];
    });
  });
}
