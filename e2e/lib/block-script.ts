import type { Page } from '@playwright/test';

/** The script that has `words` in it does not come. Scripts have no names. Returns the addresses that were lost so far. */
export async function blockScript(page: Page, words: string): Promise<Set<string>> {
  const lost = new Set<string>();
  await page.route('**/assets/*.js', async (route) => {
    const answer = await route.fetch();
    if (!(await answer.text()).includes(words)) return route.fulfill({ response: answer });
    lost.add(route.request().url());
    await route.abort();
  });
  return lost;
}
