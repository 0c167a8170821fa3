import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SignedDocument, SignedFeed } from '@porchlight/contract/shapes.ts';
import { sha256Of } from '@porchlight/definitions/feed.ts';
import { catalogueBytes, signKeys, signSet } from '@porchlight/definitions/feed-make.ts';
import type { Recognition } from '@porchlight/definitions/recognition.ts';
import { newKeyPair } from '@porchlight/definitions/signature.ts';

/** A feed of definitions as a project publishes it: a folder of files behind a web server. */
export async function publishedFeed(issued: () => Date) {
  const [root, signing] = [newKeyPair(), newKeyPair()];
  const files = new Map<string, Uint8Array>();
  const asked: { path: string; headers: IncomingHttpHeaders }[] = [];
  let keys: SignedDocument[] = [];
  let isAway = false;
  const http = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push({ path, headers: request.headers });
    const bytes = files.get(path);
    if (isAway || !bytes) return void response.writeHead(isAway ? 503 : 404).end();
    const etag = `"${sha256Of(bytes)}"`;
    const isKnown = request.headers['if-none-match'] === etag;
    response.writeHead(isKnown ? 304 : 200, { etag }).end(isKnown ? '' : bytes);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const serve = (feed: SignedFeed) => files.set('/feed/feed.json', Buffer.from(JSON.stringify(feed)));
  return {
    env: {
      DEFINITIONS_FEED: `http://127.0.0.1:${(http.address() as AddressInfo).port}/feed`,
      DEFINITIONS_FEED_KEY: root.public_key,
    },
    asked,
    serve,
    files,
    close() {
      http.closeAllConnections();
      http.close();
    },
    away: (now: boolean) => {
      isAway = now;
    },
    /** Signs a set, and puts it and its files into the folder. `key`: another key than the listed one. */
    publish(
      version: number,
      recognition: Recognition,
      { sites = null, key = signing }: { sites?: Uint8Array | null; key?: typeof signing } = {},
    ) {
      keys = keys.length ? keys : [signKeys({ version: 1, issued: issued(), root: root.public_key, signing: [signing.public_key] }, root)];
      const catalogue = catalogueBytes(recognition);
      for (const bytes of [catalogue, ...(sites ? [sites] : [])]) files.set(`/feed/parts/${sha256Of(bytes)}`, bytes);
      serve({ keys, set: signSet({ version, keys_version: keys.length, issued: issued(), catalogue, sites }, key) });
    },
  };
}
