import { type BrowserContext, test as base } from '@playwright/test';
import { type SharedWorld, startSharedWorld } from './worlds.ts';

let currentFile: { file: string; contexts: BrowserContext[] } = { file: '', contexts: [] };

/**
 * Playwright's test, which also closes contexts that a test opened itself, because their pages would poll until the run ends.
 * Contexts from `beforeAll` stay until their file has finished.
 */
export const test = base.extend<{ tidy: undefined }, { sharedWorld: SharedWorld }>({
  /** One for all files of a worker that need no server of their own. */
  sharedWorld: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads in the pattern which other fixtures this one needs: none.
    async ({}, use) => {
      const shared = await startSharedWorld();
      await use(shared);
      await shared.world.close();
    },
    { scope: 'worker' },
  ],
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
