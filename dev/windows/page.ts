/** The agent's page as whoever was given its one-time address sees it. */
export async function openAgentPage(url: string) {
  const { origin } = new URL(url);
  const first = await fetch(url, { redirect: 'manual' });
  const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
  // Each window has a folder of its own.
  const folder = new URL('./', new URL(first.headers.get('location') ?? '', url));
  const text = async (path: string) => (await fetch(new URL(path, folder), { headers: { cookie } })).text();
  return {
    text,
    /** Fills in the form of this page; answers the page that comes then. */
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
