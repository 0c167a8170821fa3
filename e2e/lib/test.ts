import { type BrowserContext, test as base } from '@playwright/test';
import type { WorldOptions } from '@porchlight/dev/world.ts';
import { type SharedWorld, startSharedWorld } from './worlds.ts';

/** The world of these options, one for all files of a worker. */
type SharedWorlds = (options?: WorldOptions) => Promise<SharedWorld>;

let currentFile: { file: string; contexts: BrowserContext[] } = { file: '', contexts: [] };

/**
 * Playwright's test, which also closes contexts that a test opened itself, because their pages would poll until the run ends.
 * Contexts from `beforeAll` stay until their file has finished.
 */
export const test = base.extend<{ tidy: undefined }, { sharedWorlds: SharedWorlds }>({
  sharedWorlds: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads in the pattern which other fixtures this one needs: none.
    async ({}, use) => {
      const worlds = new Map<string, Promise<SharedWorld>>();
      await use((options = {}) => {
        const key = JSON.stringify(options);
        const shared = worlds.get(key) ?? startSharedWorld(options);
        worlds.set(key, shared);
        return shared;
      });
      for (const shared of worlds.values()) await (await shared).world.close();
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
