import type { SignedFeed } from '@porchlight/contract/shapes.ts';
import { openFeed } from '@porchlight/definitions/feed.ts';
import { readSiteList } from '@porchlight/definitions/sites/site-list.ts';
import type { TestServer } from './world.ts';

/** The list of sites that an agent gets from this server now. */
export async function sitesOf(server: TestServer) {
  const root = String((await server.call('GET /agent/server')).body.keys?.definitions);
  const feed = (await server.call('GET /agent/free-plan')).body.definitions as unknown as SignedFeed;
  const { set } = openFeed(root, null, feed, server.clock.now());
  if (!set.sites) return { version: set.version, size: 0, has: () => false };
  const { rawPayload } = await server.app.http.inject({ method: 'GET', url: `/api/definitions/parts/${set.sites.sha256}` });
  const list = readSiteList(rawPayload);
  return { version: set.version, size: list.size, has: (host: string) => list.has(host) };
}
