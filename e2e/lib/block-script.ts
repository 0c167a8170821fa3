import type { Page } from '@playwright/test';

/** Blocks the script that contains `scriptText`, since file names are hashes. Returns the blocked addresses so far. */
export async function blockScript(page: Page, scriptText: string): Promise<Set<string>> {
  const blockedUrls = new Set<string>();
  await page.route('**/assets/*.js', async (route) => {
    const answer = await route.fetch();
    if (!(await answer.text()).includes(scriptText)) return route.fulfill({ response: answer });
    blockedUrls.add(route.request().url());
    await route.abort();
  });
  return blockedUrls;
}
