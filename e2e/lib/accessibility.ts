import { expect, type Page } from '@playwright/test';
import axe, { type AxeResults, type RunOptions } from 'axe-core';

const tags = ['wcag2a', 'wcag2aa', 'wcag2aaa', 'wcag22aa', 'best-practice'];

/** The rules that depend on colours; axe's other results are the same in dark mode. */
const byColour = ['color-contrast', 'color-contrast-enhanced', 'link-in-text-block'];

/** axe in both schemes with contrast of 7:1, no horizontal scrolling at 320 px, large enough targets. */
export async function checkScreen(page: Page): Promise<void> {
  await waitUntilLoaded(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const byScheme: RunOptions['runOnly'] = colorScheme === 'light' ? { type: 'tag', values: tags } : { type: 'rule', values: byColour };
    const { violations, passes } = await runAxe(page, byScheme);
    expect(violations).toEqual([]);
    expect(passes).toBeGreaterThan(colorScheme === 'light' ? 10 : 0);
  }
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  expect(await tooSmall(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(await tooSmall(page)).toEqual([]);
}

/**
 * Runs axe in the page: its own package for Playwright sends all results to this process, which takes four times as long. `violations`: the
 * rule and the HTML of each.
 */
async function runAxe(page: Page, runOnly: RunOptions['runOnly']): Promise<{ violations: string[]; passes: number }> {
  // The page's policy for scripts does not apply to what the browser's debugger evaluates.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async (rules) => {
    const { axe: injected } = window as unknown as { axe: { run(context: Document, options: RunOptions): Promise<AxeResults> } };
    const { violations, passes } = await injected.run(document, { runOnly: rules, resultTypes: ['violations'] });
    const describe = ({ id, nodes }: (typeof violations)[number]) =>
      `${id}: ${nodes
        .map(({ html }) => html)
        .join(' ')
        .slice(0, 300)}`;
    return { violations: violations.map(describe), passes: passes.length };
  }, runOnly);
}

async function waitUntilLoaded(page: Page): Promise<void> {
  // Before the code of a screen is here, there is no skeleton either.
  await expect(page.locator('h1').first()).toBeAttached();
  await expect(page.locator('.skeleton')).toHaveCount(0);
}

/** Controls under 44 px in height, except links within a sentence, which the rules allow. */
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
 * 400 % zoom on a screen of 1280 by 1024: no horizontal scrolling, all words of a wide window, and every control can be scrolled to where
 * it is neither cut off nor covered. No horizontal scrolling on a phone either, with longer words or with text at 200 %.
 */
export async function checkScreenZoomed(page: Page): Promise<void> {
  await waitUntilLoaded(page);
  // A text that changes by itself, such as a countdown, may differ once.
  await expect(async () => {
    await page.setViewportSize({ width: 1280, height: 1024 });
    const wide = await visibleWords(page);
    await page.setViewportSize({ width: 320, height: 256 });
    expect(wide.filter((line) => line !== '').length).toBeGreaterThan(3);
    expect(await visibleWords(page)).toEqual(wide);
  }).toPass({ timeout: 10_000 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  expect(await outOfReach(page)).toEqual([]);
  await checkLongerWords(page);
  await page.setViewportSize({ width: 1280, height: 800 });
}

/**
 * Words are longer in other languages, and letters are in a browser with larger text: neither may scroll a phone sideways. The words are made longer
 * in the page, so this needs no other language, and what the server wrote is among them.
 */
async function checkLongerWords(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 800 });
  const restore = await page.evaluateHandle(lengthenWords);
  const withLongerWords = await beyondTheEdge(page);
  await restore.evaluate((undo) => undo());
  await page.setViewportSize({ width: 390, height: 800 });
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  const withLargerText = await beyondTheEdge(page);
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
  expect({ withLongerWords, withLargerText }).toEqual({ withLongerWords: [], withLargerText: [] });
}

/** Makes each word of the page 40 % longer, with accents. Returns what takes it back. */
function lengthenWords(): () => void {
  const originals: [Text, string][] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    if (node.parentElement?.closest('script, style')) continue;
    originals.push([node, node.data]);
    node.data = node.data.replace(/\p{L}{2,}/gu, (word) => word + 'éñßüåîø'.repeat(3).slice(0, Math.ceil(word.length * 0.4)));
  }
  return () => {
    for (const [node, text] of originals) node.data = text;
  };
}

/** The innermost elements that reach beyond the screen, where the page scrolls sideways. */
function beyondTheEdge(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const isBeyond = (element: Element) => element.getBoundingClientRect().right > width + 0.5 && element.checkVisibility();
    return [...document.body.querySelectorAll('*')]
      .filter((element) => isBeyond(element) && ![...element.children].some(isBeyond))
      .map((element) => `${element.outerHTML.slice(0, 120)}: ${Math.round(element.getBoundingClientRect().right)} of ${width}`);
  });
}

/** The visible words, without line breaks and countdown seconds. */
async function visibleWords(page: Page): Promise<string[]> {
  const text = await page.evaluate(() => document.body.innerText);
  return text.replace(/\bin \d+ s\b/g, 'in a moment').split(/\s+/);
}

/** Controls that stay covered or cut off wherever the page is scrolled; only those of the topmost open dialog, if any. */
function outOfReach(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const within = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
    return [...within.querySelectorAll<HTMLElement>('a[href], button, input, select, summary')].flatMap((element) => {
      if (element.classList.contains('skip') || !element.checkVisibility()) return [];
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
      // The first box of a wrapped link.
      const { left, top, width, height } = element.getClientRects()[0] ?? new DOMRect();
      const topElement = document.elementFromPoint(left + width / 2, top + height / 2);
      const ownElement = element.closest('label') ?? element;
      return topElement && ownElement.contains(topElement) && left >= 0 && left + width <= 320
        ? []
        : [`${element.outerHTML.slice(0, 120)}: under ${topElement?.outerHTML.slice(0, 80)}`];
    });
  });
}
