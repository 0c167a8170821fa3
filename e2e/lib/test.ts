import { test as base } from '@playwright/test';

/**
 * Playwright's test, which also closes the browser windows that a test opened by hand: left open they would go on asking the
 * server until the run ends, and slow down every test after it. What `beforeAll` opened stays until its file is through.
 */
export const test = base.extend<{ tidy: undefined }>({
  tidy: [
    async ({ browser }, use) => {
      const before = new Set(browser.contexts());
      await use(undefined);
      for (const context of browser.contexts()) if (!before.has(context)) await context.close();
    },
    { auto: true },
  ],
});
