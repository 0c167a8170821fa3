import type { TestServer } from './world.ts';

export const metricsToken = 'a-token-for-scrapers-only';

/** By the series as it is written, such as `porchlight_devices{state="online"}`. */
export type Scrape = Map<string, number>;

export function readScrape(text: string): Scrape {
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
}

/** The text of `/metrics` of a server with `METRICS_TOKEN`, with new readings of the database. */
export async function scrapeText(server: TestServer): Promise<string> {
  server.clock.turn(60_000);
  const { statusCode, body } = await server.app.http.inject({ url: '/metrics', headers: { authorization: `Bearer ${metricsToken}` } });
  if (statusCode !== 200) throw new Error(`/metrics answered ${statusCode}`);
  return body;
}

export const scrape = async (server: TestServer): Promise<Scrape> => readScrape(await scrapeText(server));
