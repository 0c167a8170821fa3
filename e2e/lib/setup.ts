import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from '@playwright/test';
import type { Person } from '@porchlight/dev/people.ts';
import type { World, WorldOptions } from '@porchlight/dev/world.ts';
import { pageOf } from './accounts.ts';
import { registeredPerson } from './people.ts';
import { test } from './test.ts';

interface SignedIn {
  world: World;
  ann: Person;
  page: Page;
}

interface SignedInOptions {
  path?: string;
  /** The same Ann and page for all tests of the file, which build on each other. */
  once?: boolean;
  browser?: BrowserContextOptions;
}

/** A server for the tests of a file: the worker's for these options, without what earlier files have left. */
export function withWorld(assign: (world: World) => void, options?: WorldOptions): void {
  test.beforeAll(async ({ sharedWorlds }) => {
    const { world, clear } = await sharedWorlds(options);
    await clear();
    assign(world);
  });
  // The server goes on for the next file; an agent that this one has started would keep its port.
  test.afterAll(async ({ sharedWorlds }) => {
    const { world } = await sharedWorlds(options);
    await world.stopAgent();
    await rm(join(world.dataDir, 'agent'), { recursive: true, force: true });
  });
}

/** A server for the file, and for each test a new Ann with a plan, logged in on her own page. */
export function withAnn(assign: (signedIn: SignedIn) => void, { path, once = false, browser: options }: SignedInOptions = {}): void {
  let world: World;
  withWorld((startedWorld) => {
    world = startedWorld;
  });
  (once ? test.beforeAll : test.beforeEach)(async ({ browser }) => {
    const ann = await registeredPerson(world);
    const page = await pageOf(browser, world, ann, options);
    assign({ world, ann, page });
    if (path !== undefined) await page.goto(`${world.dashboardUrl}${path}`);
  });
}
