import { test as base, type Page } from '@playwright/test';
import { buildComponentPage } from '@porchlight/dashboard/testing/build.ts';

interface Fixtures {
  /** Opens one case of `dashboard/testing/cases.tsx` by itself, without a server. */
  open: (name: string) => Promise<Page>;
}

/** Built once for all tests of a worker. */
let built: ReturnType<typeof buildComponentPage> | undefined;

export const test = base.extend<Fixtures>({
  open: async ({ page }, use) => {
    built ??= buildComponentPage();
    const files = await built;
    await page.route('**/*', (route) => {
      const { pathname } = new URL(route.request().url());
      const file = files.get(pathname === '/' ? '/index.html' : pathname);
      return file ? route.fulfill({ body: file.body, contentType: file.type }) : route.fulfill({ status: 404 });
    });
    await use(async (name) => {
      await page.goto(`http://components.test/#${name}`);
      return page;
    });
  },
});
