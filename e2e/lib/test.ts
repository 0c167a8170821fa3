import { type BrowserContext, test as base } from '@playwright/test';

let currentFile: { file: string; contexts: BrowserContext[] } = { file: '', contexts: [] };

/**
 * Playwright's test, which also closes contexts that a test opened itself, because their pages would poll until the run ends.
 * Contexts from `beforeAll` stay until their file has finished.
 */
export const test = base.extend<{ tidy: undefined }>({
  tidy: [
    async ({ browser }, use, { file }) => {
      if (currentFile.file !== file) for (const context of currentFile.contexts) await context.close();
      const contextsBefore = new Set(browser.contexts());
      await use(undefined);
      for (const context of browser.contexts()) if (!contextsBefore.has(context)) await context.close();
      currentFile = { file, contexts: browser.contexts() };
    },
    { auto: true },
  ],
});
