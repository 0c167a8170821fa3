import { test as base, type Page } from '@playwright/test';
import { buildComponentPage } from '@porchlight/dashboard/testing/build.ts';

type ComponentPage = Awaited<ReturnType<typeof buildComponentPage>>;

interface Fixtures {
  /** Opens one case of `dashboard/testing/cases.tsx` by itself, without a server. */
  open: (name: string) => Promise<Page>;
}

export const test = base.extend<Fixtures, { files: ComponentPage }>({
  files: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here.
    async ({}, use) => {
      await use(await buildComponentPage());
    },
    { scope: 'worker' },
  ],
  open: async ({ page, files }, use) => {
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
