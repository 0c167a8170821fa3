import type { BrowserContextOptions, Page } from '@playwright/test';
import { type Person, registeredPerson } from '@porchlight/dev/people.ts';
import { startWorld, type World } from '@porchlight/dev/world.ts';
import { pageOf } from './accounts.ts';
import { test } from './test.ts';

interface SignedIn {
  world: World;
  ann: Person;
  page: Page;
}

interface SignedInOptions {
  /** Where Ann's page is opened, below /dashboard; nowhere yet without it. */
  path?: string;
  /** One Ann and one page for all tests of the file, which are told in order. */
  once?: boolean;
  browser?: BrowserContextOptions;
}

/** A server of its own for the tests of a file, closed after them. */
export function withWorld(assign: (world: World) => void, options?: Parameters<typeof startWorld>[0]): void {
  let world: World | undefined;
  test.beforeAll(async () => {
    world = await startWorld(options);
    assign(world);
  });
  test.afterAll(async () => {
    await world?.close();
  });
}

/** A server for the file, and for each of its tests another Ann who has a plan and is logged in on a page of her own. */
export function withAnn(assign: (its: SignedIn) => void, { path, once = false, browser: options }: SignedInOptions = {}): void {
  let world: World;
  withWorld((its) => {
    world = its;
  });
  (once ? test.beforeAll : test.beforeEach)(async ({ browser }) => {
    const ann = await registeredPerson(world);
    const page = await pageOf(browser, world, ann, options);
    assign({ world, ann, page });
    if (path !== undefined) await page.goto(`${world.dashboardUrl}${path}`);
  });
}
