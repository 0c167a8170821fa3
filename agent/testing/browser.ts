import type { TestAgent } from './agent.ts';

/** The window as a browser without script shows it. */
export interface Browser {
  /** A page below /ui/, as text. */
  page(name?: string): Promise<string>;
  /** Presses the button of a form; answers the page that comes then. `change`: what an attacker would do otherwise. */
  press(
    form: string,
    fields?: Record<string, string>,
    change?: { proof?: string; origin?: string | null; cookie?: string },
  ): Promise<{ status: number; text: string }>;
}

/** Opens the window as the agent does for the person. */
export async function browserOf({ agent, os }: TestAgent): Promise<Browser> {
  agent.showWindow();
  const opened = await fetch(os.opened.at(-1) ?? '', { redirect: 'manual' });
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  const at = `http://127.0.0.1:${agent.port}`;
  const page = async (name = '') => (await fetch(`${at}/ui/${name}`, { headers: { cookie } })).text();
  return {
    page,
    async press(form, fields = {}, change = {}) {
      // Each form of a window has the same proof; one of these has a form.
      const shown = (await page()) + (await page('pause')) + (await page('other'));
      const proof = change.proof ?? /name="proof" value="([^"]+)"/.exec(shown)?.[1] ?? '';
      const origin = change.origin === undefined ? at : change.origin;
      const answer = await fetch(`${at}/ui/${form}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: change.cookie ?? cookie, 'content-type': 'application/x-www-form-urlencoded', ...(origin ? { origin } : {}) },
        body: new URLSearchParams({ proof, ...fields }).toString(),
      });
      if (answer.status !== 303) return { status: answer.status, text: await answer.text() };
      return { status: 200, text: await page((answer.headers.get('location') ?? '').replace('/ui/', '')) };
    },
  };
}
