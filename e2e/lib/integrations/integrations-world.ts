import { expect, type Locator, type Page } from '@playwright/test';
import type { World } from '@porchlight/dev/world.ts';
import { startTestWorld } from '../worlds.ts';
import { type ChatService, startChatService } from './chat-service.ts';
import { type Collector, startCollector } from './collector.ts';
import { type ErrorService, startErrorService } from './error-service.ts';

export interface IntegrationsWorld {
  world: World;
  chat: ChatService;
  errors: ErrorService;
  collector: Collector;
  asked(): { chat: number; errors: number; collector: number };
  close(): Promise<void>;
}

/** A server with all three third parties configured, each a fake. */
export async function startIntegrationsWorld(): Promise<IntegrationsWorld> {
  const [chat, errors, collector] = await Promise.all([startChatService(), startErrorService(), startCollector()]);
  const world = await startTestWorld({
    env: {
      ...chat.settings,
      SENTRY_DSN: errors.dsn,
      ANALYTICS_URL: collector.url,
      ANALYTICS_DOMAIN: 'www.example.org',
      TRUST_PROXY: 'on',
    },
  });
  return {
    world,
    chat,
    errors,
    collector,
    asked: () => ({ chat: chat.asked.length, errors: errors.asked.length, collector: collector.asked.length }),
    close: async () => {
      await world.close();
      await Promise.all([chat.close(), errors.close(), collector.close()]);
    },
  };
}

export const banner = (page: Page) => page.getByRole('region', { name: 'May we use these outside services?' });

/** The banner appears a moment after the page. */
export async function switches(page: Page): Promise<Locator[]> {
  const boxes = banner(page).getByRole('checkbox');
  await expect(boxes).toHaveCount(3);
  return boxes.all();
}

export async function answer(page: Page, yes: boolean): Promise<void> {
  if (yes) for (const service of await switches(page)) await service.check();
  await banner(page)
    .getByRole('button', { name: yes ? 'Save my choices' : 'No, thank you' })
    .click();
  await expect(banner(page)).toHaveCount(0);
}

/** Violations of the page's policy, and uncaught errors. */
export function listenForTrouble(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`not caught: ${error.message}`));
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) problems.push(message.text());
  });
  return problems;
}

/** Runs `script` as if from our own host. */
export async function runOurs(page: Page, world: World, script: string): Promise<void> {
  await runScript(page, `${world.dashboardUrl}/assets/broken.js`, script);
}

/** Runs `script` from any permitted address, with full error details. */
export async function runScript(page: Page, url: string, script: string): Promise<void> {
  await page.route(url, (route) =>
    route.fulfill({ contentType: 'text/javascript', headers: { 'access-control-allow-origin': '*' }, body: script }),
  );
  await page.evaluate(
    (src) =>
      new Promise((resolve, reject) => {
        document.head.append(
          Object.assign(document.createElement('script'), { src, crossOrigin: 'anonymous', onload: resolve, onerror: reject }),
        );
      }),
    url,
  );
}
