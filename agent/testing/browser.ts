import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import type { TestAgent } from './agent.ts';

export interface Browser {
  folder: string;
  cookie: string;
  page(name?: string): Promise<string>;
  /** Submits a form and returns the next page. `change`: proof or origin, as an attacker might send them. */
  press(
    form: string,
    fields?: Record<string, string>,
    change?: { proof?: string; origin?: string | null; cookie?: string },
  ): Promise<{ status: number; text: string }>;
}

export function browserOf({ agent, os }: TestAgent): Promise<Browser> {
  agent.showWindow();
  return browserAt(os.opened.at(-1) ?? '');
}

export async function browserAt(url: string): Promise<Browser> {
  const opened = await fetch(url, { redirect: 'manual' });
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  const pageOrigin = new URL(url).origin;
  const [folder = ''] = /^\/ui\/[^/]+\//.exec(opened.headers.get('location') ?? '') ?? [];
  const page = async (name = '') => (await fetch(`${pageOrigin}${folder}${name}`, { headers: { cookie } })).text();
  return {
    folder,
    cookie,
    page,
    async press(form, fields = {}, change = {}) {
      // All forms of a window have the same proof; at least one of these pages has a form.
      const shown = (await page()) + (await page('pause')) + (await page('other')) + (await page('found'));
      const proof = change.proof ?? /name="proof" value="([^"]+)"/.exec(shown)?.[1] ?? '';
      const asked = /name="question" value="([^"]+)"/.exec(shown)?.[1];
      const question: Record<string, string> = asked && form === 'answer' ? { question: asked } : {};
      const origin = change.origin === undefined ? pageOrigin : change.origin;
      const answer = await fetch(`${pageOrigin}${folder}${form}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: change.cookie ?? cookie, 'content-type': 'application/x-www-form-urlencoded', ...(origin ? { origin } : {}) },
        body: new URLSearchParams({ proof, ...question, ...fields }).toString(),
      });
      if (answer.status !== 303) return { status: answer.status, text: await answer.text() };
      return { status: 200, text: await page((answer.headers.get('location') ?? '').replace(folder, '')) };
    },
  };
}

export function advanceTime({ clock }: TestAgent, ms: number): void {
  clock.now = new Date(clock.now.getTime() + ms);
  clock.up += ms;
}

export async function sayYes(test: TestAgent, browser: Browser, fields: Record<string, string> = {}) {
  await browser.page();
  advanceTime(test, agentLimits.yes_after);
  return browser.press('answer', { answer: 'yes', ...fields });
}

export async function connect(test: TestAgent, code: string, fields: Record<string, string> = {}): Promise<string> {
  const browser = await browserOf(test);
  await browser.press('link', { code });
  return (await sayYes(test, browser, fields)).text;
}
