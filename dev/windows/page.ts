import { readFile, writeFile } from 'node:fs/promises';
import { endIncidents } from '../guardians.ts';
import type { Scene } from './scene.ts';
import { program } from './tools.ts';

export type Until = <T>(description: string, condition: () => Promise<T> | T) => Promise<NonNullable<T>>;

async function openAgentPage(url: string) {
  const { origin } = new URL(url);
  const firstResponse = await fetch(url, { redirect: 'manual' });
  const cookie = firstResponse.headers.get('set-cookie')?.split(';')[0] ?? '';
  // Each browser window has its own path.
  const folder = new URL('./', new URL(firstResponse.headers.get('location') ?? '', url));
  const text = async (path: string) => (await fetch(new URL(path, folder), { headers: { cookie } })).text();
  return {
    text,
    async send(page: string, fields: Record<string, string>): Promise<string> {
      const proof = /name="proof" value="([^"]+)"/.exec(await text(page))?.[1] ?? '';
      const answer = await fetch(new URL(page, folder), {
        method: 'POST',
        headers: { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ ...fields, proof }).toString(),
        redirect: 'manual',
      });
      return text(answer.headers.get('location') ?? '');
    },
  };
}

/** The agent's page, opened as the menu entry does. Without a tray program the agent logs the address. */
async function shownPage({ wine, onC, log }: Scene, until: Until) {
  const note = onC('users\\Public\\opened.txt');
  await writeFile(note, '');
  const logBefore = (await log()).length;
  const url = await until('the page', async () => {
    await wine.run(program, '--open', 'porchlight://open');
    const logged = (await log()).slice(logBefore).match(/See what happened: (http:\S+\?t=[\w-]+)/);
    return /--app=(http:\S+\?t=[\w-]+)/.exec(await readFile(note, 'utf8'))?.[1] ?? logged?.[1];
  });
  return openAgentPage(url);
}

/** The guardian ends the incidents, so that the PIN alone is enough again (P10.5). Returns the agent's page. */
export async function pinIsEnough(scene: Scene, until: Until) {
  const page = await shownPage(scene, until);
  await until('the PIN to be enough', async () => {
    await endIncidents(scene.world, scene.guardian);
    return !(await page.text('')).includes('The Admin PIN alone');
  });
  return page;
}
