import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import type { TestAgent } from './agent.ts';

/** The window as a browser without script shows it. */
export interface Browser {
  /** Of this window, below the server's address. */
  folder: string;
  cookie: string;
  /** A page of the window, as text. */
  page(name?: string): Promise<string>;
  /** Presses the button of a form; answers the page that comes then. `change`: what an attacker would do otherwise. */
  press(
    form: string,
    fields?: Record<string, string>,
    change?: { proof?: string; origin?: string | null; cookie?: string },
  ): Promise<{ status: number; text: string }>;
}

/** Opens the window as the agent does for the person. */
export function browserOf({ agent, os }: TestAgent): Promise<Browser> {
  agent.showWindow();
  return browserAt(os.opened.at(-1) ?? '');
}

/** Opens the address that the agent has said, which is good once. */
export async function browserAt(url: string): Promise<Browser> {
  const opened = await fetch(url, { redirect: 'manual' });
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  const at = new URL(url).origin;
  const [folder = ''] = /^\/ui\/[^/]+\//.exec(opened.headers.get('location') ?? '') ?? [];
  const page = async (name = '') => (await fetch(`${at}${folder}${name}`, { headers: { cookie } })).text();
  return {
    folder,
    cookie,
    page,
    async press(form, fields = {}, change = {}) {
      // Each form of a window has the same proof; one of these has a form.
      const shown = (await page()) + (await page('pause')) + (await page('other')) + (await page('found'));
      const proof = change.proof ?? /name="proof" value="([^"]+)"/.exec(shown)?.[1] ?? '';
      // The answer says to which question.
      const asked = /name="question" value="([^"]+)"/.exec(shown)?.[1];
      const question: Record<string, string> = asked && form === 'answer' ? { question: asked } : {};
      const origin = change.origin === undefined ? at : change.origin;
      const answer = await fetch(`${at}${folder}${form}`, {
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

/** Time goes by, for the clock and for what nobody can set. Milliseconds. */
export function timePasses({ clock }: TestAgent, ms: number): void {
  clock.now = new Date(clock.now.getTime() + ms);
  clock.up += ms;
}

/** Says yes to the question that is open, as soon as it is taken. */
export async function sayYes(test: TestAgent, browser: Browser, fields: Record<string, string> = {}) {
  await browser.page();
  timePasses(test, agentLimits.yes_after);
  return browser.press('answer', { answer: 'yes', ...fields });
}

/** Types a code where somebody is asked, and says yes. */
export async function connect(test: TestAgent, code: string, fields: Record<string, string> = {}): Promise<string> {
  const browser = await browserOf(test);
  await browser.press('link', { code });
  return (await sayYes(test, browser, fields)).text;
}
