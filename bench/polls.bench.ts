import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, type Row } from '@porchlight/dev/bench-row.ts';
import { startNatsServer } from '@porchlight/server/testing/nats-server.ts';
import { databaseOf, devicesIn, ofProduct, type PolledServer, peerServer, productServer } from './polls-servers.ts';

type Log = (line: string) => void;

/** Seconds; milliseconds. So many agents that their rounds, and not what else a server does, are the larger part of a turn. */
const rounds = { agents: 800, wait: 1, turns: 9, turn: 6_000, warm_up: 15_000, idle: 20_000 };
/** Agents; seconds; milliseconds. `measured`: two presence statements, and half of a poll. */
const rest = { sizes: [1_000, 5_000, 15_000], wait: 240, per_second: 200, settle: 5_000, measured: 120_000 };
const most = Math.max(...rest.sizes);
/** The share of one processor that agents at rest may need. */
const share = 0.6;

/** What long polls cost a server: with a database (`ROLE=all`), and as a gateway beside a web server and NATS. */
export async function bench(log: Log): Promise<Row[]> {
  if (process.platform !== 'linux') {
    log('skipped: the time of another process is read from /proc');
    return [];
  }
  const closers: (() => Promise<void>)[] = [];
  const closing = <T extends { close(): Promise<void> }>(part: T): T => {
    closers.unshift(() => part.close());
    return part;
  };
  try {
    const secret = { SECRET_KEY: 'one secret key for both of the servers' };
    const all = closing(await productServer({ env: secret }));
    const database = await databaseOf(all);
    const { tokens, known } = await devicesIn(all, database, 2 * most);
    const headers = await headersOf(all.url, tokens[0] ?? '', known);
    const startPeer = async (url: string | null) => closing(await peerServer(all, known, headers, url));
    const cost = await costOfRounds([closing(ofProduct(all, known)), await startPeer(database)], tokens, log);

    // Their memory is that of a fresh process.
    await all.stopServer();
    await all.startServer();
    const nats = closing(await startNatsServer());
    const withNats = { ...secret, NATS_URL: nats.url };
    closing(await productServer({ env: { ...withNats, ROLE: 'web' }, databaseUrl: database }));
    const gateway = closing(await productServer({ env: { ...withNats, ROLE: 'gateway' } }));
    const [ofAll, ofGateway] = [tokens.slice(0, most), tokens.slice(most)];
    const atRest = await agentsAtRest(
      [
        { name: 'all', server: closing(ofProduct(all, known)), tokens: ofAll },
        { name: 'Fastify', server: await startPeer(database), tokens: ofAll },
        { name: 'gateway', server: closing(ofProduct(gateway, known)), tokens: ofGateway },
        { name: 'Node', server: await startPeer(null), tokens: ofGateway },
      ],
      log,
    );
    return [cost, ...rowsOf(atRest)];
  } finally {
    for (const close of closers) await close();
  }
}

/** The headers of an answer with nothing new, so that the peers send the same bytes: name, value, name, value … */
async function headersOf(url: string, token: string, known: object): Promise<string[]> {
  const answer = await fetch(`${url}/api/agent/changes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...known, protecting: true, wait: 0 }),
  });
  const text = await answer.text();
  if (text !== '{"changed":false,"again_in":0}') throw new Error(`The server answered ${answer.status}: ${text}`);
  const ofConnection = new Set(['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding']);
  return [...answer.headers].filter(([name]) => !ofConnection.has(name)).flat();
}

async function costOfRounds(servers: [PolledServer, PolledServer], tokens: string[], log: Log): Promise<Row> {
  for (const { agents } of servers) {
    await agents.add(tokens.slice(0, rounds.agents), rounds.wait, 1_000);
    await agents.turn(rounds.wait, rounds.warm_up);
  }
  // What a server does without calls is no part of a round; the agents at rest have it in their rows.
  const idle = await loadOf(servers, rounds.idle);
  const costs = servers.map((): number[] => []);
  for (let n = 0; n < rounds.turns; n++) {
    for (const [which, { agents, processor }] of servers.entries()) {
      const [before, startedAt] = [await processor(), performance.now()];
      const answered = await agents.turn(rounds.wait, rounds.turn);
      const ofIdle = ((idle[which] ?? 0) * (performance.now() - startedAt)) / 1000;
      costs[which]?.push(((await processor()) - before - ofIdle) / answered);
    }
  }
  const [ours = [], bare = []] = costs;
  const ratios = ours.map((cost, n) => cost / (bare[n] ?? Number.NaN)).toSorted((a, b) => a - b);
  log(`long poll, ratios of ${rounds.turns} turns: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}; load ${load()}`);
  for (const { agents } of servers) log(`its agents: ${JSON.stringify(await agents.state())}`);
  return {
    name: `long poll, ${rounds.agents} agents: processor time per round, median of ${rounds.turns} turns`,
    value: median(ours),
    unit: 'ms',
    peer: 'bare Fastify, one prepared statement, the same wait and bytes',
    peer_value: median(bare),
    aim: { ratio_at_most: 1.5 },
  };
}

/** Milliseconds of processor time a second, measured for that many milliseconds. */
async function loadOf(servers: PolledServer[], milliseconds: number): Promise<number[]> {
  const before = await Promise.all(servers.map(({ processor }) => processor()));
  await sleep(milliseconds);
  const after = await Promise.all(servers.map(({ processor }) => processor()));
  return after.map((value, n) => (value - (before[n] ?? 0)) / (milliseconds / 1000));
}

interface AtRest {
  name: string;
  server: PolledServer;
  tokens: string[];
}

interface RestResult {
  /** Milliseconds of processor time a second without agents. */
  idle: number;
  /** Milliseconds of processor time a second for each agent, above that, by `rest.sizes`. */
  perAgent: number[];
  /** Bytes, by `rest.sizes`. */
  memory: number[];
}

/** All servers at the same time: agents at rest leave the computer nearly idle, and so all have the same disturbances. */
async function agentsAtRest(servers: AtRest[], log: Log): Promise<RestResult[]> {
  const polled = servers.map(({ server }) => server);
  const costs = () => loadOf(polled, rest.measured);
  await sleep(rest.settle);
  const results = (await costs()).map((idle): RestResult => ({ idle, perAgent: [], memory: [] }));
  let present = 0;
  for (const size of rest.sizes) {
    const over = ((size - present) / rest.per_second) * 1000;
    const from = present;
    await Promise.all(servers.map(({ server, tokens }) => server.agents.add(tokens.slice(from, size), rest.wait, over)));
    present = size;
    await sleep(rest.settle);
    const cost = await costs();
    const memory = await Promise.all(servers.map(({ server }) => server.memory()));
    for (const [n, result] of results.entries()) {
      result.perAgent.push(((cost[n] ?? 0) - result.idle) / size);
      result.memory.push(memory[n] ?? 0);
    }
    for (const [n, { name, server }] of servers.entries()) {
      const micro = ((results[n]?.perAgent.at(-1) ?? 0) * 1000).toFixed(2);
      const perSecond = `${cost[n]?.toFixed(1)} ms/s in all (${results[n]?.idle.toFixed(1)} without agents), ${micro} µs/s an agent`;
      log(`${size} agents at rest, ${name}: ${perSecond}, ${((memory[n] ?? 0) / 1_048_576).toFixed(0)} MB; load ${load()}`);
      log(`its agents: ${JSON.stringify(await server.agents.state())}`);
    }
  }
  return results;
}

function rowsOf(results: RestResult[]): Row[] {
  const [all, fastify, gateway, node] = results;
  if (!all || !fastify || !gateway || !node) return [];
  const [, smaller = 0, largest = 0] = rest.sizes;
  const kilobytes = ({ memory: [, before = 0, after = 0] }: RestResult) => (after - before) / (largest - smaller) / 1024;
  const memory = (name: string, ours: RestResult, peer: string, bare: RestResult, ratio_at_most: number): Row => ({
    name: `memory of a waiting agent, ${name}: growth from ${smaller} to ${largest} agents`,
    ...{ value: kilobytes(ours), unit: 'KB', peer, peer_value: kilobytes(bare), aim: { ratio_at_most } },
  });
  const flat = (name: string, { perAgent }: RestResult): Row => ({
    name: `agents at rest, ${name}: processor time per agent, dearest of ${rest.sizes.join(', ')} agents`,
    ...{ value: Math.max(...perAgent) * 1000, unit: 'µs/s', peer: 'cheapest of these', peer_value: Math.min(...perAgent) * 1000 },
    aim: { ratio_at_most: 1.2 },
  });
  const capacity = (name: string, { idle, perAgent }: RestResult, peer_value: number): Row => ({
    name: `agents at rest, ${name}: extrapolated from ${largest} to ${share * 100} % of one core`,
    ...{ value: (share * 1000 - idle) / (perAgent.at(-1) ?? Number.NaN), unit: 'agents', peer: 'aim', peer_value },
    aim: { ratio_at_least: 1 },
  });
  return [
    memory('ROLE=all', all, 'bare Fastify', fastify, 1.2),
    memory('ROLE=gateway', gateway, "Node's own server", node, 1.1),
    flat('ROLE=all', all),
    flat('ROLE=gateway', gateway),
    capacity('ROLE=all', all, 50_000),
    capacity('ROLE=gateway', gateway, 100_000),
  ];
}

const load = () => loadavg()[0]?.toFixed(1);
