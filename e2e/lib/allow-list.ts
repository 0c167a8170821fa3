import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test';
import type { Exception, ExceptionLasts, ExceptionType } from '@porchlight/contract/exceptions.ts';
import { call } from '@porchlight/dev/call.ts';
import { linkedDevice, registeredPerson } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { pageOf } from './accounts.ts';

/** What a person does with the allow list of a device, and what the server says of it. */
export interface AllowListOf {
  page: Page;
  device: string;
  /** Opens the tab. */
  open(): Promise<void>;
  /** Opens the tab and the dialog. */
  search(typed?: string): Promise<void>;
  add(type: ExceptionType, identifier: string, lasts?: ExceptionLasts): Promise<Exception>;
  items(): Promise<Exception[]>;
}

/** Someone new with a device in New York, in a browser of their own in the same place. */
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
    async search(typed) {
      await open();
      await addButton(page).click();
      if (typed) await field(page).fill(typed);
    },
    add: (type, identifier, lasts = null) =>
      call(world.url, 'POST /web/devices/:id/v2/exceptions', { token, params, body: { type, identifier, lasts } }),
    items: async () => (await call(world.url, 'GET /web/devices/:id/v2/exceptions', { token, params })).items,
  };
}

export const addButton = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Add To Allow List', exact: true });
export const dialog = (page: Page) => page.getByRole('dialog', { name: 'Add To Allow List' });
export const field = (page: Page) => dialog(page).getByLabel('Website or program');
/** What was found, as it stands there: the name, and what can be done with it. */
export const hits = (page: Page) => dialog(page).locator('.hits').getByRole('button');
export const rows = (page: Page) => page.getByRole('group', { name: 'Allowed websites and programs' }).getByRole('listitem');
