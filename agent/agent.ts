import { caller } from './api/call.ts';
import { remotePinCheck } from './api/check-pin.ts';
import { pinKeys } from './api/enrol.ts';
import { sayGoodbye } from './api/goodbye.ts';
import { partFetcher } from './api/parts.ts';
import { diskScan } from './disk-scan/disk-scan.ts';
import { type DnsFilterPlan, startDnsFilter } from './dns-filter/dns-filter.ts';
import type { ClockReading } from './lib/span.ts';
import type { Linking } from './link/linking.ts';
import { owner } from './link/ownership.ts';
import { session } from './link/session.ts';
import { control } from './lock/local-controls.ts';
import type { Os } from './os/port.ts';
import { protection } from './protection/protection.ts';
import { detectionReporter } from './protection/reporter.ts';
import { siteFinding } from './protection/site-finding.ts';
import { readInForce, type WantsFree } from './state/in-force.ts';
import type { Store } from './state/store.ts';
import { keepListening } from './ui/loopback/keep-listening.ts';
import { knownOrigins } from './ui/loopback/origins.ts';
import { words } from './ui/messages/messages.ts';
import { localScreen } from './ui/screen.ts';
import { incidents } from './ui/window/incidents.ts';

export interface AgentDeps {
  os: Os;
  store: Store;
  /** PORCHLIGHT_SERVER, without a slash at the end. */
  server: string;
  version: string;
  /** Where what is taken away from this computer is kept. Null: what lies on it is neither looked at nor touched, only what runs. */
  keep: string | null;
  /** Protect this computer with the free plan, unless it is a device. */
  free: WantsFree;
  loopback_port: number;
  /** Where and how sites are blocked; null: they are not. */
  sites: DnsFilterPlan | null;
  now: () => Date;
  /** Of the clock and of what nobody can set, for what must not be shortened or stretched. */
  readClock: () => ClockReading;
  random: () => number;
  /** One plain sentence for the person at the terminal. */
  log: (sentence: string) => void;
}

export interface Agent {
  /** Where the loopback calls are answered; null while the port is not to be had. */
  readonly port: number | null;
  link: Linking;
  /** What it was started with to be linked by is used or refused for good: from now on it is no new one. */
  settled(): Promise<void>;
  /** Shows the window, or says where it is. */
  showWindow(): void;
  /** True when what is to protect this computer does, or when nothing is to. */
  ready(): boolean;
  /** Leaves the talk with the server, the port and the state to another agent; programs are still stopped, until `close`. */
  stepBack(): Promise<void>;
  /** Throws a sentence unless this computer belongs to nobody, or the PIN is right; what ends within ten minutes is told as uninstalled. */
  mayLeave(pin: string | undefined): Promise<void>;
  /** `why`: what the server is told of the end; nothing when it is left out. */
  close(why?: 'shutdown' | 'stopped'): Promise<void>;
}

/** The agent: observe → detect → plan → apply → report. A computer that is no device has the free plan, or is idle (3.18, 6.8). */
export async function startAgent(parts: AgentDeps): Promise<Agent> {
  const { os, store, server, now, readClock, log, random } = parts;
  const call = caller(server);
  const info = () => ({ ...os.info(), agent_version: parts.version });
  const seen = incidents();
  const isRunning: Parameters<Store['recoverInterruptedKills']>[0] = (process) =>
    os.isRunning({ ...process, path: '', program: { os: 'linux', name: '' } });
  await store.recoverInterruptedKills(isRunning).catch((err: unknown) => log(words.terminal.notWritten('What was being stopped', err)));
  const inForce = await readInForce(store, parts.free);

  // What is built first may have something to say before the rest stands: by then nothing is to be done, and the rest begins with what is in force.
  let changed = () => {};
  let queued = () => {};
  let stands = () => {};
  const hands = await control({
    ...{ store, inForce, readClock, log },
    checkPinRemotely: remotePinCheck(call),
    queued: () => queued(),
    changed: () => changed(),
  });
  const around = await diskScan({ ...parts, inForce, queued: () => queued(), showWindow: () => screen.show() });
  const whose = await owner({
    ...{ store, call, server, info, inForce, now, readClock, random, log, mayLeave: hands.mayLeave },
    session: { become: (...as) => linked.become(...as), release: (free) => linked.release(free) },
    queued: () => queued(),
    changed: () => changed(),
    stands: () => stands(),
  });
  const { link } = whose;
  const screen = localScreen({
    ...{ os: { ...os, limitations: () => problems() }, inForce, incidents: seen, control: hands, owner: whose, around, now, log },
    port: () => loopback.windowPort(),
    version: parts.version,
    lastContact: () => linked.lastContact(),
  });
  const showWindow = screen.show;

  const told = detectionReporter({ store, inForce, incidents: seen, now, log, queued: () => queued(), showWindow });
  const protect = protection({ os, inForce, now, log, detectionReporter: told });
  const sites =
    parts.sites &&
    startDnsFilter({
      ...{ os, log, plan: parts.sites, rules: inForce.rules, definitions: inForce.definitions },
      sites: async () => (await store.feed.held())?.parts?.sites ?? null,
      leaving: () => store.isLeaving(now().getTime()),
      tried: (tried) =>
        void told
          .tell(siteFinding(tried), tried.blocked, inForce.identity)
          .catch((err: unknown) => log(`A detection could not be kept: ${String(err)}`)),
    });
  const problems = () => [
    ...(loopback.port() === null ? [words.terminal.portTaken(parts.loopback_port)] : []),
    ...os.limitations(),
    ...(sites?.problems() ?? []),
  ];
  const linked = session({
    ...{ store, call, inForce, info, random, log, now, showWindow },
    after: hands.after,
    fetchPart: partFetcher(server),
    problems,
    standing: whose.standing,
    asks: () => seen.asks(now(), inForce.identity?.device.uuid),
    told: seen.heard,
    reportsSleep: () => sleep?.works() ?? false,
    up: () => readClock().up,
    changed: () => changed(),
    reportMore: around.report,
  });
  const origins = await knownOrigins(async () => (await store.keys()) ?? (await pinKeys({ store, call })));
  const loopback = await keepListening({
    port: parts.loopback_port,
    origins: origins.known,
    status: () => ({ g: inForce.identity === null && inForce.free !== null, l: inForce.identity !== null, v: parts.version }),
    takeLink: screen.takeLink,
    window: screen.handle,
    had: () => log(words.terminal.portHad(parts.loopback_port)),
  });
  if (loopback.port() === null) log(words.terminal.portTaken(parts.loopback_port));
  for (const sentence of os.limitations()) log(sentence);

  const sleep = os.watchSleep?.({ going: linked.asleep, back: linked.awake }) ?? null;
  changed = () => {
    protect.changed();
    sites?.changed();
    around.consider();
  };
  queued = linked.report;
  stands = linked.checkIn;
  protect.rescan();
  linked.start();
  sites?.changed();
  around.consider();

  let steppedBack = false;
  return {
    get port() {
      return loopback.port();
    },
    link,
    async settled() {
      inForce.isNew = false;
      // Should it ever belong to nobody again it has the free plan, as it was installed.
      if (parts.free && !(await store.freePlan())) await store.setFreePlan('chosen');
    },
    showWindow,
    ready: () =>
      inForce.paused() || (inForce.identity === null && inForce.free === null) || (inForce.rules() !== null && inForce.compiled() !== null),
    async stepBack() {
      steppedBack = true;
      sleep?.close();
      origins.close();
      hands.close();
      await whose.close();
      await linked.close();
      await loopback.close();
      // Only one can answer names, and only one looks around.
      await sites?.close();
      await around.close();
    },
    mayLeave: hands.mayUninstall,
    async close(why) {
      if (steppedBack) {
        await protect.close();
        return;
      }
      sleep?.close();
      origins.close();
      hands.close();
      // A program that was just ended is on the disk before we go (P4.5).
      await protect.close();
      await sites?.close();
      await around.close();
      await whose.close();
      await linked.close();
      // Last of all: a check-in that came after it would take it back.
      const leaving = why === 'stopped' && (await store.isLeaving(now().getTime()));
      if (why && inForce.identity) await sayGoodbye(call, inForce.identity, { reason: leaving ? 'uninstalled' : why });
      await loopback.close();
    },
  };
}
