import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test';
import type { AllowListDuration, AllowListEntry, AllowListEntryType } from '@porchlight/contract/allow-list.ts';
import { call } from '@porchlight/dev/call.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf } from './accounts.ts';
import { linkedDevice, registeredPerson } from './people.ts';

export interface AllowListOf {
  page: Page;
  device: string;
  open(): Promise<void>;
  search(typedText?: string): Promise<void>;
  add(type: AllowListEntryType, identifier: string, duration?: AllowListDuration): Promise<AllowListEntry>;
  items(): Promise<AllowListEntry[]>;
}

/** Sets up a device and a browser in New York. */
export async function allowListOf(browser: Browser, world: World, options: BrowserContextOptions = {}): Promise<AllowListOf> {
  const person = await registeredPerson(world);
  const { uuid: device } = await linkedDevice(world, person);
  const page = await pageOf(browser, world, person, { timezoneId: 'America/New_York', ...options });
  const { token } = person;
  const params = { id: device };
  const open = async () => {
    await page.goto(`${world.dashboardUrl}/devices/${device}/allowlist`);
    await expect(addButton(page)).toBeVisible();
  };
  return {
    page,
    device,
    open,
    async search(typedText) {
      await open();
      await addButton(page).click();
      if (typedText) await field(page).fill(typedText);
    },
    add: (type, identifier, duration = null) =>
      call(world.url, 'POST /web/devices/:id/v2/exceptions', { token, params, body: { type, identifier, lasts: duration } }),
    items: async () => (await call(world.url, 'GET /web/devices/:id/v2/exceptions', { token, params })).items,
  };
}

export const addButton = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Add To Allow List', exact: true });
export const dialog = (page: Page) => page.getByRole('dialog', { name: 'Add To Allow List' });
export const field = (page: Page) => dialog(page).getByLabel('Website or program');
export const hits = (page: Page) => dialog(page).locator('.hits').getByRole('button');
export const rows = (page: Page) => page.getByRole('group', { name: 'Allowed websites and programs' }).getByRole('listitem');
