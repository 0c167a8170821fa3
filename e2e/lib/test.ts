import { type BrowserContext, test as base } from '@playwright/test';

/** What a file has opened for all its tests. */
let ofFile: { file: string; contexts: BrowserContext[] } = { file: '', contexts: [] };

/**
 * Playwright's test, which also closes the browser windows that a test opened by hand: left open they would go on asking the server, or the
 * program on this computer, until the run ends. What `beforeAll` opened stays until its file is through.
 */
export const test = base.extend<{ tidy: undefined }>({
  tidy: [
    async ({ browser }, use, { file }) => {
      if (ofFile.file !== file) for (const context of ofFile.contexts) await context.close();
      const before = new Set(browser.contexts());
      await use(undefined);
      for (const context of browser.contexts()) if (!before.has(context)) await context.close();
      ofFile = { file, contexts: browser.contexts() };
    },
    { auto: true },
  ],
});
