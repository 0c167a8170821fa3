import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { day, hour, minute } from '@porchlight/contract/time.ts';
import openPostgres from '@porchlight/server/testing/global-setup.ts';
import { type TestServer, testServer } from '@porchlight/server/testing/world.ts';
import { until } from '../../until.ts';
import { readMailbox } from '../../world.ts';

/** The clocks of New York do not change in the weeks of the drill. */
export const zone = 'America/New_York';
const zone_behind = 5 * hour;
export interface Message {
  channel: 'email' | 'text' | 'call';
  to: string;
  /** The subject of an email, the words of a text. */
  words: string;
  at: Date;
}

/** One server whose clock the drill turns, and on which all households live at the same time. */
export interface Town {
  server: TestServer;
  url: string;
  /** Everything that was sent, in the order of its steps. */
  sent: Message[];
  /** How many computers are on. */
  computers_on: number;
  /** Makes time pass while computers are on: in steps so small that none seems silent. */
  pass(ms: number): Promise<void>;
  /** The same after something that makes silence count sooner. */
  passClosely(ms: number): Promise<void>;
  /** Makes time pass while all computers are off. */
  passNight(ms: number): Promise<void>;
  /** Milliseconds until this local time of the day, such as 17.5. */
  untilClock(hours: number): number;
  close(): Promise<void>;
}

export const localDate = (time: Date) => new Date(time.getTime() - zone_behind).toISOString().slice(0, 10);

export async function openTown(): Promise<Town> {
  let postgres_url = '';
  const stopPostgres = await openPostgres({ provide: (_name, url) => void (postgres_url = url) });
  const lists = await openLists();
  // The site list is fetched each day, so what is known about scams never becomes old.
  const env = { SITE_LISTS: `${lists.url}|plain`, TEXT_COUNTRIES: 'all', VOICE: 'on', PUSH: 'off' };
  const server = await testServer(env, undefined, { postgres_url });
  const url = await server.app.http.listen({ port: 0, host: '127.0.0.1' });
  const sent: Message[] = [];
  const known = new Set<string>();

  const mailbox = () => readMailbox({ url, dataDir: server.config.data_dir });
  /** Runs what is due, lets every phone ring in vain, and notes what was sent. */
  const settle = async () => {
    for (let ringing = true; ringing; ) {
      await server.app.worker.idle();
      const calls = (await mailbox()).calls.filter(({ state }) => state === 'ringing');
      for (const { id } of calls) await server.phones.ignore(id);
      ringing = calls.length > 0;
    }
    const { mails, texts, calls } = await mailbox();
    const at = server.clock.now();
    const found = [
      ...mails.flatMap(({ id, to, subject }) => to.map((one) => ({ id, channel: 'email' as const, to: one, words: subject }))),
      ...texts.map(({ id, to, body }) => ({ id, channel: 'text' as const, to, words: body })),
      ...calls.map(({ id, to, words }) => ({ id, channel: 'call' as const, to, words: words.join(' ') || 'nobody picked up' })),
    ];
    for (const { id, ...message } of found.reverse()) {
      const key = `${id} ${message.to}`;
      if (!known.has(key)) sent.push({ ...message, at });
      known.add(key);
    }
  };
  const turn = async (ms: number) => {
    // An agent calls again a moment after a change, in which no simulated minute may pass.
    await until('all agents to wait for changes', () => server.app.agentsWaiting() >= town.computers_on);
    server.clock.turn(ms);
    await server.app.writePresence();
    await server.stripeSimulator.deliver();
    await settle();
  };
  const passBy = async (ms: number, most: number) => {
    for (let left = ms; left > 0; left -= most) await turn(Math.min(left, most));
  };

  const town: Town = {
    ...{ server, url, sent, computers_on: 0 },
    pass: (ms) => passBy(ms, 10 * minute),
    passClosely: (ms) => passBy(ms, minute),
    passNight: (ms) => passBy(ms, hour),
    untilClock(hours) {
      const local = (server.clock.now().getTime() - zone_behind) % day;
      return (hours * hour - local + day) % day;
    },
    async close() {
      await server.close();
      await lists.close();
      await stopPostgres();
    },
  };
  return town;
}

async function openLists() {
  const http = createServer((_request, response) => void response.end('scam-shop.top\n'));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/list.txt`,
    async close() {
      http.closeAllConnections();
      await new Promise<void>((resolve) => void http.close(() => resolve()));
    },
  };
}
