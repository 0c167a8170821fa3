import { test as base, type Page } from '@playwright/test';
import { buildComponentPage } from '@porchlight/dashboard/testing/build.ts';

interface Fixtures {
  /** Opens one case of `dashboard/testing/cases.tsx` without a server; `query` as in `?stop=1`. */
  open: (name: string, query?: string) => Promise<Page>;
}

/** The cases are built once per worker. */
let builtFiles: ReturnType<typeof buildComponentPage> | undefined;

export const test = base.extend<Fixtures>({
  open: async ({ page }, use) => {
    builtFiles ??= buildComponentPage();
    const files = await builtFiles;
    await page.route('**/*', (route) => {
      const { pathname } = new URL(route.request().url());
      const file = files.get(pathname === '/' ? '/index.html' : pathname);
      return file ? route.fulfill({ body: file.body, contentType: file.type }) : route.fulfill({ status: 404 });
    });
    await use(async (name, query = '') => {
      await page.goto(`http://components.test/${query}#${name}`);
      return page;
    });
  },
});
