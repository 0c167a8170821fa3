import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { caller } from '../api/call.ts';
import { acceptFeed } from '../api/feed.ts';
import { partFetcher } from '../api/parts.ts';
import { openStore } from '../state/store.ts';
import type { Mutations, Offer } from './mutated-feeds.ts';

/**
 * Offers an agent's own code `count` feeds over HTTP, of which it must take none, with its disk in `folder`. Answers what went wrong, a
 * sentence each. The store is opened anew again and again, as by a restart.
 */
export async function feedTrial(folder: string, { feed, good, newer, next }: Mutations, count: number): Promise<string[]> {
  let offer: Offer = { what: 'the good feed', body: JSON.stringify({ definitions: good }), parts: new Map() };
  const http = createServer((request, response) => {
    const part = request.url?.split('/definitions/parts/')[1];
    const bytes = part === undefined ? offer.body : (offer.parts.get(part) ?? feed.parts.get(part) ?? '');
    response.writeHead(bytes.length ? 200 : 404, { 'content-type': 'application/json' }).end(bytes);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const [call, fetchPart, now, never] = [caller(url), partFetcher(url), () => new Date(), new AbortController().signal];
  let store = await openStore(folder);
  await store.pinKeys({ public_url: url, keys: { link: '', policy: '', definitions: feed.root().public_key } });
  const take = async () => {
    const { definitions } = await call('GET /agent/free-plan', { query: {} });
    if (!definitions) throw new Error('nothing was offered');
    return acceptFeed({ store, fetchPart, now }, definitions, never);
  };
  const onDisk = () => readFile(join(folder, 'definitions', 'feed.json'), 'utf8');
  const wrong: string[] = [];
  try {
    await take();
    const kept = await onDisk();
    const inForce = JSON.stringify(await store.definitions());
    for (let n = 1; n <= count; n++) {
      offer = next();
      const taken = await take().catch(() => null);
      if (taken || (await onDisk()) !== kept) wrong.push(`Number ${n} was taken: ${offer.what}.`);
      if (n % 100 === 0) store = await openStore(folder);
      if (n % 100 === 0 && JSON.stringify(await store.definitions()) !== inForce)
        wrong.push(`After number ${n} the good set was not there: ${offer.what}.`);
      if (wrong.length) return wrong;
    }
    offer = { what: 'the newer feed', body: JSON.stringify({ definitions: newer }), parts: new Map() };
    await take().catch((err: unknown) => wrong.push(`The good newer feed was not taken: ${String(err)}.`));
    return wrong;
  } finally {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  }
}
