import type { Definition } from '@porchlight/definitions/format.ts';
import type { Os } from '../os/port.ts';
import type { Log, SiteAttempt } from '../ports.ts';
import type { SocketAddress } from './address.ts';
import { filterChild } from './child.ts';
import { hostsFile } from './hosts-file.ts';
import { dnsMessages } from './messages.ts';
import type { FromFilter, SiteRulesInForce } from './protocol.ts';
import { redirect } from './redirect.ts';

/** Where the DNS filter listens, and whether the system uses it. */
export interface DnsFilterPlan {
  /** The command of the process, at the time of the call. */
  command: () => string[];
  own: SocketAddress;
  /** The address of the block page; null for none. */
  page: SocketAddress | null;
  /** Whether the system's resolver may be changed. Never by an agent started by hand, unless it was asked to. */
  system: boolean;
  /** Used instead of the system's upstreams. */
  upstream: SocketAddress[] | null;
}

export interface DnsFilterDeps {
  os: Pick<Os, 'resolver' | 'hostsFile'>;
  plan: DnsFilterPlan;
  /** Null while nothing is blocked. */
  rules: () => SiteRulesInForce | null;
  definitions: () => { version: number; definitions: Definition[] } | null;
  /** The compact list that belongs to the definitions. */
  sites: () => Promise<Uint8Array | null>;
  tried: (tried: SiteAttempt) => void;
  /** Whether this program is being uninstalled. The resolver is restored then, and not changed again. */
  leaving: () => Promise<boolean>;
  log: Log;
}

export interface DnsFilter {
  changed(): void;
  /** Each problem as a sentence for the user. */
  problems(): string[];
  /** Where the filter listens; null while it does not. `names`: the length of the list in force. */
  state(): { own: SocketAddress | null; page: SocketAddress | null; names: number; pid: number | undefined };
  /** Resolves once the resolver is restored. */
  close(): Promise<void>;
}

/** How often a taken port is tried again. */
const retryAfter = 30_000;

/** After so many crashes in a row the filter is given up for a while, and the resolver restored. */
const tooOften = 3;

/** Runs the DNS filter with the rules in force, and redirects the system's resolver to it. */
export function startDnsFilter({ os, plan, rules, definitions, sites, tried, leaving, log }: DnsFilterDeps): DnsFilter {
  const hosts = hostsFile(os.hostsFile());
  let own: SocketAddress | null = null;
  let page: SocketAddress | null = null;
  let names = 0;
  let problem: string | null = null;
  let taken = false;
  let retrying: NodeJS.Timeout | undefined;
  let servers = plan.upstream ?? [];
  /** The definitions that the process has or is being sent; a new process has none. */
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
  /** Without a port only sites named in the catalogue can be blocked, through the hosts file. */
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
      // The process fetches nothing itself: everything is sent, in this order.
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
      // The resolver first, then the process that it led to.
      if (plan.system) await network.restore();
      await network.close();
      await work;
      if (plan.system) await hosts.restore();
      await child.close();
    },
  };
}
