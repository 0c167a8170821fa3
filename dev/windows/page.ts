export async function openAgentPage(url: string) {
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
