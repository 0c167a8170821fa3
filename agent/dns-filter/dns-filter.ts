import type { ProtectiveResolver } from '@porchlight/contract/protective-resolvers.ts';
import type { Os } from '../os/port.ts';
import type { Log, SiteAttempt } from '../ports.ts';
import type { SocketAddress } from './address.ts';
import { filterChild } from './child.ts';
import { hostsFile } from './hosts-file.ts';
import { dnsMessages } from './messages.ts';
import type { FromFilter, SiteDefinitions, SiteRulesInForce } from './protocol.ts';
import { redirect } from './redirect.ts';
import { resolverOutage } from './resolver-outage.ts';

export interface DnsFilterPlan {
  command: () => string[];
  own: SocketAddress;
  page: SocketAddress | null;
  /** Whether the system's DNS settings may be changed; an agent started by hand needs `--system`. */
  system: boolean;
  upstream: SocketAddress[] | null;
}

export interface DnsFilterDeps {
  os: Pick<Os, 'resolver' | 'hostsFile'>;
  plan: DnsFilterPlan;
  rules: () => SiteRulesInForce | null;
  /** Null while money sites do not rest. They rest also during a pause. */
  money: () => SiteRulesInForce['money'];
  /** The paused sites that are open. */
  openedSites: () => string[];
  /** Whether sites that were just registered are paused. */
  pausesYoung: () => boolean;
  /** The sites that this computer opened, as hashes. `load` resolves to null when they cannot be read: then each young site is paused. */
  remembered: { load(): Promise<{ key: string; hashes: string[] } | null>; add(hashes: string[]): void };
  /** Whether this computer is protected, also during a pause. While it is not, its DNS settings stay as they are. */
  isWanted: () => boolean;
  /** The protective resolver in force; null: the network's own DNS servers. */
  protectiveResolver: () => ProtectiveResolver | null;
  definitions: () => SiteDefinitions | null;
  sites: () => Promise<Uint8Array | null>;
  onAttempt: (attempt: SiteAttempt) => void;
  /** During an uninstall the DNS settings are restored and not changed again. */
  isUninstalling: () => Promise<boolean>;
  /** Milliseconds since any fixed time; it must not go back. */
  up: () => number;
  log: Log;
}

export interface DnsFilter {
  changed(): void;
  problems(): string[];
  /** Which scam sites are blocked, as far as is known; until the filter has started, those that it will block. */
  blocks(): 'all' | 'few' | 'none';
  /** `own`: null while the filter does not listen. `names`: the number of names in the site list. */
  state(): { own: SocketAddress | null; page: SocketAddress | null; names: number; pid: number | undefined };
  close(): Promise<void>;
}

const retryAfter = 30_000;

const MAX_FAILURES = 3;

const ignoreAll = { RemoteControl: 'ignore', DeceptiveUtility: 'ignore', ScamWebsite: 'ignore' } as const;

function rulesForFilter(
  rules: SiteRulesInForce | null,
  money: NonNullable<SiteRulesInForce['money']> | null,
  paused: NonNullable<SiteRulesInForce['paused']>,
): SiteRulesInForce | null {
  if (!rules && !money) return null;
  return { actions: rules?.actions ?? ignoreAll, allow: rules?.allow ?? [], money, paused };
}

export function startDnsFilter({ os, plan, rules, definitions, sites, onAttempt, isUninstalling, log, ...deps }: DnsFilterDeps): DnsFilter {
  const hosts = hostsFile(os.hostsFile());
  const outage = resolverOutage(deps.up);
  let own: SocketAddress | null = null;
  let page: SocketAddress | null = null;
  let names = 0;
  let problem: string | null = null;
  let portTaken = false;
  let isPointed = false;
  let retrying: NodeJS.Timeout | undefined;
  let servers = plan.upstream ?? [];
  let sentDefinitions: object | null = null;
  /** Whether the filter's process has what this computer opened. */
  let knowsOpened = false;
  let work: Promise<unknown> = Promise.resolve();
  const setProblem = (sentence: string | null) => {
    if (sentence && sentence !== problem) log(sentence);
    problem = sentence;
  };
  const network = redirect({
    resolver: os.resolver(),
    isUninstalling,
    servers(foundServers) {
      if (plan.upstream) return;
      servers = foundServers;
      child.send({ kind: 'upstream', servers });
    },
    log,
    isListening: () => own !== null,
    messages: dnsMessages,
  });
  const pointIfWanted = () => {
    if (!own || !plan.system || deps.isWanted() === isPointed) return;
    isPointed = !isPointed;
    void (isPointed ? network.pointTo(own.address) : network.restore());
  };
  const restoreNetwork = () => {
    isPointed = false;
    return network.restore();
  };
  const sendRulesAndDefinitions = async () => {
    pointIfWanted();
    const resolver = deps.protectiveResolver();
    outage.use(resolver);
    child.send({ kind: 'resolver', resolver });
    const currentRules = rules();
    const young = deps.pausesYoung();
    if (young && !knowsOpened) {
      knowsOpened = true;
      const opened = await deps.remembered.load();
      if (opened) child.send({ kind: 'opened', ...opened });
    }
    child.send({ kind: 'rules', rules: rulesForFilter(currentRules, deps.money() ?? null, { opened: deps.openedSites(), young }) });
    const definitionSet = definitions();
    if (definitionSet && definitionSet !== sentDefinitions) {
      sentDefinitions = definitionSet;
      const { definitions: known, money, names } = definitionSet;
      child.send({ kind: 'definitions', definitions: known, money, names, sites: await sites() });
    }
    if (portTaken) await writeHostsFile();
  };
  /** While the port is taken the hosts file blocks sites instead, only those of the catalogue. */
  const writeHostsFile = async () => {
    const currentRules = rules();
    const blocked = (definitions()?.definitions ?? []).filter(({ category }) => currentRules?.actions[category] === 'block');
    const activeEntries = (currentRules?.allow ?? []).filter(({ until }) => until === null || Date.parse(until) > Date.now());
    const allowedIdentifiers = new Set(activeEntries.map(({ identifier }) => identifier));
    const listedNames = blocked
      .filter(({ identifier }) => !allowedIdentifiers.has(identifier))
      .flatMap(({ domains }) => domains.filter((name) => !name.startsWith('*.')));
    if (!(await isUninstalling())) await hosts.write(listedNames.filter((name) => !allowedIdentifiers.has(name)));
  };
  const inOrder = (step: () => Promise<unknown>) => {
    work = work.then(step).catch((err: unknown) => setProblem(dnsMessages.notAllowed(err instanceof Error ? err.message : String(err))));
    return work;
  };
  const start = () => child.send({ kind: 'start', own: plan.own, page: plan.page, upstream: servers });
  const handlers: { [K in FromFilter['kind']]?: (message: Extract<FromFilter, { kind: K }>) => void } = {
    listening(message) {
      [own, page, portTaken] = [message.own, message.page, false];
      setProblem(null);
      if (!plan.system) return;
      void inOrder(hosts.restore);
      // An agent that was killed may have left our address in the settings.
      if (!deps.isWanted()) return void restoreNetwork();
      isPointed = true;
      void network.pointTo(message.own.address);
    },
    taken({ why }) {
      const address = `${plan.own.address}:${plan.own.port}`;
      clearTimeout(retrying);
      retrying = setTimeout(start, retryAfter);
      if (!plan.system) return setProblem(dnsMessages.takenByHand(address, why));
      portTaken = true;
      setProblem(dnsMessages.taken(address, why));
      void restoreNetwork();
      void inOrder(writeHostsFile);
    },
    in_force: (message) => void (names = message.names),
    refused: ({ why }) => log(why),
    tried: (message) => onAttempt(message.tried),
    opened: ({ hashes }) => deps.remembered.add(hashes),
    failing: () => void network.look(),
    resolver: ({ host, reachable }) => outage.note(host, reachable),
  };
  const child = filterChild({
    command: () => (plan.system ? [...plan.command(), '--system'] : plan.command()),
    onStart() {
      sentDefinitions = null;
      knowsOpened = false;
      outage.reset();
      void inOrder(async () => {
        await sendRulesAndDefinitions();
        await network.look();
        start();
      });
    },
    onMessage: (message) => handlers[message.kind]?.(message as never),
    onExit() {
      [own, page] = [null, null];
      if (child.failures() < MAX_FAILURES) return;
      setProblem(dnsMessages.failing);
      if (plan.system) void restoreNetwork();
    },
  });
  return {
    changed: () => void inOrder(sendRulesAndDefinitions),
    problems: () => [problem, network.problem(), outage.problem()].filter((sentence) => sentence !== null),
    blocks: () => (portTaken ? 'few' : problem === null && network.problem() === null ? 'all' : 'none'),
    state: () => ({ own, page, names, pid: child.pid() }),
    async close() {
      clearTimeout(retrying);
      // The DNS settings are restored before the process ends, because then nothing answers at our address.
      if (plan.system) await network.restore();
      await network.close();
      await work;
      if (plan.system) await hosts.restore();
      await child.close();
    },
  };
}
