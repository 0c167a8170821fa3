import type { Page } from '@playwright/test';

/** Counts presses by mouse, finger or the enter key. */
export async function countPresses(page: Page): Promise<() => number> {
  let presses = 0;
  await page.exposeFunction('countPress', () => {
    presses += 1;
  });
  await page.addInitScript(() => {
    const { countPress } = window as unknown as { countPress(): void };
    window.addEventListener('pointerdown', () => countPress(), true);
    window.addEventListener('keydown', (event) => event.key === 'Enter' && countPress(), true);
  });
  return () => presses;
}
