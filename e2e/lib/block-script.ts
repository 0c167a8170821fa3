import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';

const assets = new URL('../../dashboard/dist/assets/', import.meta.url);

/** Blocks the script that contains `scriptText`, since file names are hashes. Returns the blocked addresses so far. */
export async function blockScript(page: Page, scriptText: string): Promise<Set<string>> {
  const blockedUrls = new Set<string>();
  const names = readdirSync(assets).filter(
    (name) => name.endsWith('.js') && readFileSync(new URL(name, assets), 'utf8').includes(scriptText),
  );
  if (names.length === 0) throw new Error(`No script of the built dashboard contains: ${scriptText}`);
  for (const name of names)
    await page.route(`**/assets/${name}`, (route) => {
      blockedUrls.add(route.request().url());
      return route.abort();
    });
  return blockedUrls;
}
