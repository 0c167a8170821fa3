import type { BrowserContext, Page } from '@playwright/test';
import type { World } from '@porchlight/dev/world.ts';
import { storedItems } from '@porchlight/server/lib/stored-items.ts';
import { inDatabase } from './database.ts';

type Permission = 'default' | 'granted' | 'denied';

/** What the user answers when the browser asks, which a browser without a window never does. `before`: what they answered earlier. */
export async function answerPermission(target: BrowserContext | Page, answer: Permission, before: Permission = 'default'): Promise<void> {
  await target.addInitScript(
    ([first, later]) => {
      let state = sessionStorage.getItem('answered') ?? first;
      Object.defineProperty(Notification, 'permission', { get: () => state });
      Notification.requestPermission = async () => {
        state = later;
        sessionStorage.setItem('answered', state);
        return later;
      };
    },
    [before, answer] as const,
  );
}

/** Only a browser with a window opens pages from the home screen. */
export async function onHomeScreen(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { matchMedia } = window;
    window.matchMedia = (query) => matchMedia.call(window, query.includes('display-mode: standalone') ? 'all' : query);
  });
}

/** The titles that the simulated push service has got, the newest first. */
export async function pushTitles(world: World): Promise<string[]> {
  let titles: string[] = [];
  await inDatabase(world, async (db) => {
    const items = await storedItems(db, 'push').list();
    titles = items.map(({ content }) => (JSON.parse(content.toString('utf8')) as { title: string }).title);
  });
  return titles;
}

/** How many browsers get notifications. */
export async function subscribedBrowsers(world: World): Promise<number> {
  let count = 0;
  await inDatabase(world, async (db) => {
    count = (await db.selectFrom('push_subscriptions').select('endpoint_hash').execute()).length;
  });
  return count;
}
