import { join } from 'node:path';
import { caller } from './api/call.ts';
import { remotePinCheck } from './api/check-pin.ts';
import { pinKeys } from './api/enrol.ts';
import { sayGoodbye } from './api/goodbye.ts';
import { partFetcher } from './api/parts.ts';
import { diskScan } from './disk-scan/disk-scan.ts';
import { type DnsFilterPlan, startDnsFilter } from './dns-filter/dns-filter.ts';
import { collected, eventHub } from './lib/events.ts';
import type { ClockReading } from './lib/span.ts';
import { ownershipOf } from './link/ownership.ts';
import { openSession } from './link/session.ts';
import { localControls } from './lock/local-controls.ts';
import type { Os } from './os/port.ts';
import type { AgentEvents, Linking, Log } from './ports.ts';
import { actor } from './protection/act.ts';
import { protection } from './protection/protection.ts';
import { detectionReporter } from './protection/report.ts';
import { storedProtection } from './protection/stored.ts';
import { openQuarantine } from './quarantine/quarantine.ts';
import { readInForce, type WantsFree } from './state/in-force.ts';
import type { Store } from './state/store.ts';
import { keepListening } from './ui/loopback/keep-listening.ts';
import { knownOrigins } from './ui/loopback/origins.ts';
import { messages } from './ui/messages/messages.ts';
import { localScreen } from './ui/screen.ts';
import { windowOpener } from './ui/show-window.ts';
import { incidentLog } from './ui/window/incidents.ts';

export interface AgentDeps {
  os: Os;
  store: Store;
  /** The server's address, without a trailing slash. */
  server: string;
  version: string;
  /** The folder for quarantined files; null: the disk is neither scanned nor touched, only running programs are. */
  keep: string | null;
  free: WantsFree;
  loopback_port: number;
  /** Where and how sites are blocked; null: they are not. */
  sites: DnsFilterPlan | null;
  now: () => Date;
  /** A clock that nobody can set, for what must be neither shortened nor stretched. */
  readClock: () => ClockReading;
  random: () => number;
  log: Log;
}

export interface Agent {
  /** The port of the loopback calls; null while another program has it. */
  readonly port: number | null;
  link: Linking;
  /** The code or link of the command line is used or refused for good: from now on this computer is no new one. */
  settled(): Promise<void>;
  showWindow(): void;
  /** True when this computer is protected, or when nothing is to protect it. */
  ready(): boolean;
  /** Leaves the server, the port and the state to another agent; programs are still stopped, until `close`. */
  stepBack(): Promise<void>;
  /** Throws a sentence unless this computer belongs to nobody, or the PIN is right; an end within ten minutes is reported as an uninstall. */
  mayLeave(pin: string | undefined): Promise<void>;
  /** `why`: the reason for the goodbye to the server; none is sent without it. */
  close(why?: 'shutdown' | 'stopped'): Promise<void>;
}

/** The composition: every part is made once, top to bottom, from those above it. A computer that is no device has the free plan, or is idle (3.18, 6.8). */
export async function startAgent(deps: AgentDeps): Promise<Agent> {
  const { os, store, server, now, readClock, random, log } = deps;
  const events: AgentEvents = eventHub();
  const problems = collected<string>();
  const call = caller(server);
  const info = () => ({ ...os.info(), agent_version: deps.version });
  const incidents = incidentLog();

  const isRunning: Parameters<Store['recoverInterruptedKills']>[0] = (process) =>
    os.isRunning({ ...process, path: '', program: { os: 'linux', name: '' } });
  await store.recoverInterruptedKills(isRunning).catch((err: unknown) => log(messages.terminal.notWritten('What was being stopped', err)));
  const inForce = await readInForce(store, deps.free);

  const controls = await localControls({ store, inForce, readClock, log, events, checkPinRemotely: remotePinCheck(call) });
  const failed = (err: unknown) => log(messages.terminal.lookFailed(err instanceof Error ? err.message : String(err)));
  const quarantine = deps.keep === null ? null : await openQuarantine(join(deps.keep, 'quarantine'), os, readClock, failed);
  const act = actor({ os, quarantine });

  const reporter = detectionReporter({ store, inForce, incidents, now, log, events });
  const protect = protection({ os, inForce, now, log, act, reporter });
  const protectStored = storedProtection({ act, now });
  const stored = deps.keep !== null && quarantine ? { folder: join(deps.keep, 'looks'), quarantine, protectStored } : null;
  const scanner = await diskScan({ os, stored, inForce, now, failed, log, events });
  const sites =
    deps.sites &&
    startDnsFilter({
      ...{ os, log, plan: deps.sites, rules: inForce.rules, definitions: inForce.definitions },
      sites: async () => (await store.feed.held())?.parts?.sites ?? null,
      leaving: () => store.isLeaving(now().getTime()),
      tried: protect.siteTried,
    });

  const session = openSession({
    ...{ store, call, inForce, info, random, log, now, events },
    ...{ formerAccount: controls.formerAccount, fetchPart: partFetcher(server), watchSleep: os.watchSleep, reportMore: scanner.report },
    problems: problems.all,
    asks: () => incidents.asks(now(), inForce.identity?.device.uuid),
    told: incidents.heard,
    up: () => readClock().up,
  });
  const ownership = await ownershipOf({
    ...{ store, call, server, info, inForce, now, readClock, random, log, events },
    ...{ mayLeave: controls.mayLeave, session },
  });

  const screen = localScreen({
    ...{ os, events, inForce, incidents, controls, ownership, diskScan: scanner, now },
    ...{ problems: problems.all, version: deps.version, lastContact: session.lastContact },
  });
  const origins = await knownOrigins(async () => (await store.keys()) ?? (await pinKeys({ store, call })));
  const loopback = await keepListening({
    port: deps.loopback_port,
    origins: origins.known,
    status: () => ({ g: inForce.identity === null && inForce.free !== null, l: inForce.identity !== null, v: deps.version }),
    takeLink: screen.takeLink,
    window: screen.handle,
    had: () => log(messages.terminal.portHad(deps.loopback_port)),
  });
  const showWindow = windowOpener({ os, newUrl: screen.newUrl, port: loopback.windowPort, log });

  problems.add(() => (loopback.port() === null ? [messages.terminal.portTaken(deps.loopback_port)] : []));
  problems.add(() => os.limitations());
  if (sites) problems.add(sites.problems);
  if (loopback.port() === null) log(messages.terminal.portTaken(deps.loopback_port));
  for (const sentence of os.limitations()) log(sentence);

  // Listeners come last: an event of a part that was being made changes nothing, because every part begins with what is in force.
  events.on('policyChanged', protect.changed);
  if (sites) events.on('policyChanged', sites.changed);
  events.on('policyChanged', scanner.consider);
  events.on('reportQueued', session.report);
  events.on('checkInDue', session.checkIn);
  events.on('windowWanted', showWindow);

  protect.rescan();
  session.start();
  sites?.changed();
  scanner.consider();

  let steppedBack = false;
  return {
    get port() {
      return loopback.port();
    },
    link: ownership.link,
    async settled() {
      inForce.isNew = false;
      // If this computer ever belongs to nobody again it has the free plan, as it was installed.
      if (deps.free && !(await store.freePlan())) await store.setFreePlan('chosen');
    },
    showWindow,
    ready: () =>
      inForce.paused() || (inForce.identity === null && inForce.free === null) || (inForce.rules() !== null && inForce.compiled() !== null),
    async stepBack() {
      steppedBack = true;
      session.stopWatchingSleep();
      origins.close();
      controls.close();
      await ownership.close();
      await session.close();
      await loopback.close();
      // Only one agent can answer DNS queries, and only one may scan.
      await sites?.close();
      await scanner.close();
    },
    mayLeave: controls.mayUninstall,
    async close(why) {
      if (steppedBack) {
        await protect.close();
        return;
      }
      session.stopWatchingSleep();
      origins.close();
      controls.close();
      // A program that was just ended is on the disk before the agent goes (P4.5).
      await protect.close();
      await sites?.close();
      await scanner.close();
      await ownership.close();
      await session.close();
      // The goodbye comes last of all: a later check-in would take it back.
      const leaving = why === 'stopped' && (await store.isLeaving(now().getTime()));
      if (why && inForce.identity) await sayGoodbye(call, inForce.identity, { reason: leaving ? 'uninstalled' : why });
      await loopback.close();
    },
  };
}
