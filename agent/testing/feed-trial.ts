import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { caller } from '../api/call.ts';
import { acceptFeed } from '../api/feed.ts';
import { partFetcher } from '../api/feed-parts.ts';
import { openStore } from '../state/store.ts';
import type { Mutations, Offer } from './mutated-feeds.ts';

/**
 * Offers `count` invalid feeds to the agent's code over HTTP, reopening its store in `folder` at intervals. Returns the failures as
 * sentences.
 */
export async function feedTrial(folder: string, { feed, good, newer, next }: Mutations, count: number): Promise<string[]> {
  let offer: Offer = { what: 'the good feed', body: JSON.stringify({ definitions: good }), partsByHash: new Map() };
  const http = createServer((request, response) => {
    const partHash = request.url?.split('/definitions/parts/')[1];
    const bytes = partHash === undefined ? offer.body : (offer.partsByHash.get(partHash) ?? feed.partsByHash.get(partHash) ?? '');
    response.writeHead(bytes.length ? 200 : 404, { 'content-type': 'application/json' }).end(bytes);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const [call, fetchPart, now, neverAborted] = [caller(url), partFetcher(url), () => new Date(), new AbortController().signal];
  let store = await openStore(folder);
  await store.pinKeys({ public_url: url, keys: { link: '', policy: '', definitions: feed.root().public_key } });
  const take = async () => {
    const { definitions } = await call('GET /agent/free-plan', { query: {} });
    if (!definitions) throw new Error('nothing was offered');
    return acceptFeed({ store, fetchPart, now }, definitions, neverAborted);
  };
  const onDisk = () => readFile(join(folder, 'definitions', 'feed.json'), 'utf8');
  const failures: string[] = [];
  try {
    await take();
    const filesBefore = await onDisk();
    const inForce = JSON.stringify(await store.definitions());
    for (let n = 1; n <= count; n++) {
      offer = next();
      const acceptedSet = await take().catch(() => null);
      if (acceptedSet || (await onDisk()) !== filesBefore) failures.push(`Number ${n} was taken: ${offer.what}.`);
      if (n % 100 === 0) store = await openStore(folder);
      if (n % 100 === 0 && JSON.stringify(await store.definitions()) !== inForce)
        failures.push(`After number ${n} the good set was not there: ${offer.what}.`);
      if (failures.length) return failures;
    }
    offer = { what: 'the newer feed', body: JSON.stringify({ definitions: newer }), partsByHash: new Map() };
    await take().catch((err: unknown) => failures.push(`The good newer feed was not taken: ${String(err)}.`));
    return failures;
  } finally {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  }
}
