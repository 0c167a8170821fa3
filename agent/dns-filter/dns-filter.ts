import type { Definition } from '@porchlight/definitions/format.ts';
import type { Os } from '../os/port.ts';
import type { Log, SiteAttempt } from '../ports.ts';
import type { SocketAddress } from './address.ts';
import { filterChild } from './child.ts';
import { hostsFile } from './hosts-file.ts';
import { dnsMessages } from './messages.ts';
import type { FromFilter, SiteRulesInForce } from './protocol.ts';
import { redirect } from './redirect.ts';

/** Where names are answered, and whether the computer is to ask there. */
export interface DnsFilterPlan {
  /** Program and arguments that start the process, as they are at this moment. */
  command: () => string[];
  own: SocketAddress;
  /** Where plain pages say why; null for nowhere. */
  page: SocketAddress | null;
  /** May the computer's own way to look names up be changed? Never for an agent that was started by hand, unless it was told so. */
  system: boolean;
  /** Instead of those that the computer asks. */
  upstream: SocketAddress[] | null;
}

export interface DnsFilterDeps {
  os: Pick<Os, 'resolver' | 'hostsFile'>;
  plan: DnsFilterPlan;
  /** Null while nothing is to be blocked. */
  rules: () => SiteRulesInForce | null;
  definitions: () => { version: number; definitions: Definition[] } | null;
  /** The compact list that belongs to the definitions. */
  sites: () => Promise<Uint8Array | null>;
  tried: (tried: SiteAttempt) => void;
  /** Is this program being removed? What was changed of the system is put back then, and not changed again. */
  leaving: () => Promise<boolean>;
  log: Log;
}

export interface DnsFilter {
  /** Something else is in force. */
  changed(): void;
  /** What it cannot do now, each as a sentence for the person. */
  problems(): string[];
  /** Where names are answered; null while they are not. `names`: how many a list in force has. */
  state(): { own: SocketAddress | null; page: SocketAddress | null; names: number; pid: number | undefined };
  /** Names are looked up as before us when this resolves. */
  close(): Promise<void>;
}

/** In milliseconds: how long until it is tried again whether the port is free. */
const retryAfter = 30_000;

/** Ended so often in a row, the process is given up on for a while, and names are looked up as before. */
const tooOften = 3;

/** Runs the site filter, keeps it told of what is in force, and the computer asking it. */
export function startDnsFilter({ os, plan, rules, definitions, sites, tried, leaving, log }: DnsFilterDeps): DnsFilter {
  const hosts = hostsFile(os.hostsFile());
  let own: SocketAddress | null = null;
  let page: SocketAddress | null = null;
  let names = 0;
  let problem: string | null = null;
  let taken = false;
  let retrying: NodeJS.Timeout | undefined;
  let servers = plan.upstream ?? [];
  /** The set that the process has, or is being sent; each process begins with none. */
  let told: object | null = null;
  let work: Promise<unknown> = Promise.resolve();
  const say = (sentence: string | null) => {
    if (sentence && sentence !== problem) log(sentence);
    problem = sentence;
  };
  const network = redirect({
    resolver: os.resolver(),
    leaving,
    servers(found) {
      if (plan.upstream) return;
      servers = found;
      child.send({ kind: 'upstream', servers });
    },
    log,
    words: dnsMessages,
  });
  const inForce = async () => {
    const now = rules();
    child.send({ kind: 'rules', rules: now && { actions: now.actions, allow: now.allow } });
    const set = definitions();
    if (set && set !== told) {
      told = set;
      child.send({ kind: 'definitions', definitions: set.definitions, sites: await sites() });
    }
    if (taken) await withHosts();
  };
  /** Without a port only names that are known by name can be blocked: those of the catalogue, and no list's. */
  const withHosts = async () => {
    const now = rules();
    const blocked = (definitions()?.definitions ?? []).filter(({ category }) => now?.actions[category] === 'block');
    const holds = (now?.allow ?? []).filter(({ until }) => until === null || Date.parse(until) > Date.now());
    const allowed = new Set(holds.map(({ identifier }) => identifier));
    const listed = blocked.filter(({ identifier }) => !allowed.has(identifier)).flatMap(({ domains }) => domains);
    if (!(await leaving())) await hosts.write(listed.filter((name) => !allowed.has(name)));
  };
  const inOrder = (step: () => Promise<unknown>) => {
    work = work.then(step).catch((err: unknown) => say(dnsMessages.notAllowed(err instanceof Error ? err.message : String(err))));
    return work;
  };
  const start = () => child.send({ kind: 'start', own: plan.own, page: plan.page, upstream: servers });
  const heard: { [K in FromFilter['kind']]?: (message: Extract<FromFilter, { kind: K }>) => void } = {
    listening(message) {
      [own, page, taken] = [message.own, message.page, false];
      say(null);
      if (!plan.system) return;
      void inOrder(hosts.restore);
      void network.pointTo(message.own.address);
    },
    taken({ why }) {
      const place = `${plan.own.address}:${plan.own.port}`;
      clearTimeout(retrying);
      retrying = setTimeout(start, retryAfter);
      if (!plan.system) return say(dnsMessages.takenByHand(place, why));
      taken = true;
      say(dnsMessages.taken(place, why));
      void network.restore();
      void inOrder(withHosts);
    },
    in_force: (message) => void (names = message.names),
    refused: ({ why }) => log(why),
    tried: (message) => tried(message.tried),
    failing: () => void network.look(),
  };
  const child = filterChild({
    command: () => (plan.system ? [...plan.command(), '--system'] : plan.command()),
    started() {
      told = null;
      // The process asks itself for nothing: it is told all, in this order.
      void inOrder(async () => {
        await inForce();
        await network.look();
        start();
      });
    },
    heard: (message) => heard[message.kind]?.(message as never),
    ended() {
      [own, page] = [null, null];
      if (child.failures() < tooOften) return;
      say(dnsMessages.failing);
      if (plan.system) void network.restore();
    },
  });
  return {
    changed: () => void inOrder(inForce),
    problems: () => [problem, network.problem()].filter((sentence) => sentence !== null),
    state: () => ({ own, page, names, pid: child.pid() }),
    async close() {
      clearTimeout(retrying);
      // First the way back, then the end of what it led to.
      if (plan.system) await network.restore();
      await network.close();
      await work;
      if (plan.system) await hosts.restore();
      await child.close();
    },
  };
}
