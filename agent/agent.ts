import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { AgentEvent } from '@porchlight/contract/agent-events.ts';
import { caller } from './api/call.ts';
import { remotePinCheck } from './api/check-pin.ts';
import { clockCheck } from './api/clock-check.ts';
import { pinKeys } from './api/enrol.ts';
import { partFetcher } from './api/feed-parts.ts';
import { sayGoodbye } from './api/goodbye.ts';
import { limitationsOf } from './api/limitations.ts';
import { protocolWatch } from './api/protocol-watch.ts';
import { browserPolicies } from './browsers/browsers.ts';
import { diskScan } from './disk-scan/disk-scan.ts';
import { type DnsFilterPlan, startDnsFilter } from './dns-filter/dns-filter.ts';
import { collected, eventHub } from './lib/events.ts';
import { serverAddresses } from './lib/http.ts';
import type { ClockReading } from './lib/span.ts';
import { type GuardUserFiles, unguarded } from './lib/user-file-work.ts';
import { ownershipOf } from './link/ownership.ts';
import { openSession } from './link/session.ts';
import { localControls } from './lock/local-controls.ts';
import { networkIsolation } from './network-isolation/network-isolation.ts';
import type { Os } from './os/port.ts';
import type { AgentEvents, Linking, Log, NetworkIsolationControl } from './ports.ts';
import { actor } from './protection/act.ts';
import { detectSite } from './protection/detectors/sites.ts';
import { doorWatch } from './protection/door-watch.ts';
import { meshVpns } from './protection/mesh-vpns.ts';
import { moneyRest } from './protection/money-rest.ts';
import { pausedSites } from './protection/paused-sites.ts';
import { programLaunches } from './protection/program-launches.ts';
import { protection } from './protection/protection.ts';
import { detectionReporter } from './protection/report.ts';
import { starts } from './protection/start.ts';
import { storedProtection } from './protection/stored.ts';
import { waitingStarts } from './protection/waiting-starts.ts';
import { openQuarantine } from './quarantine/quarantine.ts';
import { readFirstStart } from './state/first-start.ts';
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
  server: string;
  version: string;
  /** The folder for quarantined files; null: the disk is not scanned. */
  quarantineFolder: string | null;
  freeAgent: WantsFree;
  loopback_port: number;
  sites: DnsFilterPlan | null;
  /** Does the system start this agent? Then what browsers read at their start stays when it stops. False when left out. */
  installed?: boolean;
  /** Runs work on what users write. Without it, the work is not watched. */
  guard?: GuardUserFiles;
  now: () => Date;
  readClock: () => ClockReading;
  random: () => number;
  log: Log;
}

export interface Agent {
  /** Null while another program uses the port. */
  readonly port: number | null;
  link: Linking;
  isolation: NetworkIsolationControl;
  /** Call when the code or link of the command line was accepted or finally refused. */
  startLinkSettled(): Promise<void>;
  showWindow(): void;
  /** *I need help now* from the tray or the menu (P9.5): one press is enough, and the window shows what to do. */
  needHelp(): void;
  /** True when protection is in force, or when none is wanted. */
  ready(): boolean;
  /** Releases the server connection, the port and the state; programs are still stopped until `close`. */
  stepBack(): Promise<void>;
  /** Throws when a PIN is needed and `pin` is wrong. If the agent then ends within ten minutes, it reports an uninstall. */
  mayLeave(pin: string | undefined): Promise<void>;
  /** `why`: the reason in the goodbye to the server; without a reason no goodbye is sent. */
  close(why?: 'shutdown' | 'stopped'): Promise<void>;
}

/** Composes the agent from its parts. An unlinked computer has the free plan or is idle (3.18, 6.8). */
export async function startAgent(deps: AgentDeps): Promise<Agent> {
  const { os, store, server, now, readClock, random, log, guard = unguarded } = deps;
  const events: AgentEvents = eventHub();
  const problems = collected<string>();
  const { call, problem: protocolProblem } = protocolWatch(caller(server));
  const incidents = incidentLog();
  const queueEvent = async (reported: AgentEvent['reported']) => {
    await store.queueEvent({ uuid: randomUUID(), time: now().toISOString(), reported });
    events.emit('reportQueued');
  };

  await store
    .recoverInterruptedKills(os.isRunning)
    .catch((err: unknown) => log(messages.terminal.notWritten('What was being stopped', err)));
  const inForce = await readInForce(store, deps.freeAgent);
  const ownClock = clockCheck(readClock);

  const controls = await localControls({ store, inForce, readClock, log, events, checkPinRemotely: remotePinCheck(call) });
  const failed = (err: unknown) => log(messages.terminal.scanFailed(err instanceof Error ? err.message : String(err)));
  const quarantine =
    deps.quarantineFolder === null ? null : await openQuarantine(join(deps.quarantineFolder, 'quarantine'), os, readClock, failed);
  const doors = deps.sites?.system ? os.doors() : null;
  const act = actor({ os, quarantine, doors });

  const reporter = detectionReporter({ store, inForce, incidents, now, log, events, programEnded: controls.lock.programEnded });
  const firstStart = await readFirstStart(store, now().getTime(), (err) => log(messages.terminal.notWritten('The first start', err)));
  const money = moneyRest({
    ...{ os, money: inForce.money, answers: inForce.startAnswers, signedNow: inForce.signedNow },
    up: () => readClock().up,
    changed: () => events.emit('moneyRestChanged'),
  });
  const origin = await os.origin({
    stateFile: store.originsPath,
    since: firstStart.before,
    now,
    guard,
    failed: (why) => log(messages.terminal.notWritten('Where programs came from', why)),
  });
  const launches =
    origin &&
    (await programLaunches({
      origin,
      file: store.knownPrograms,
      failed: (why) => log(messages.terminal.notWritten('Known programs', why)),
    }));
  const seenMeshVpns = await meshVpns({
    ...{ os, now, file: store.meshVpns },
    failed: (why) => log(messages.terminal.notWritten('Mesh VPNs', why)),
  });
  const countNewProgram = () =>
    void queueEvent({ kind: 'new_program' }).catch((err: unknown) => log(messages.terminal.notWritten('A new program', err)));
  const waiting = await waitingStarts({
    goesOn: (identifier) => void launches?.noteRun(identifier),
    became: incidents.noteStart,
    ...{ os, act, reporter, file: store.waitingStarts, answers: inForce.startAnswers, signedNow: inForce.signedNow },
    failed: (err) => log(messages.terminal.notWritten('What waits', err)),
  });
  const endAppointments = () =>
    void controls.appointments.end('danger').catch((err: unknown) => log(messages.terminal.notWritten('The end of the help', err)));
  const paused = await pausedSites({
    ...{ readClock, file: store.pausedSites, answers: inForce.startAnswers, signedNow: inForce.signedNow },
    mustAsk: () =>
      controls.lock.current() !== null ||
      inForce.strict() ||
      money.isLive() ||
      money.now() !== null ||
      controls.appointments.running().length > 0 ||
      inForce.unlisted().paused_sites === 'ask',
    changed: () => events.emit('pausedSitesChanged'),
    reportOpened: (site) => queueEvent({ kind: 'opened_site', site }),
    async ask(site, imitates) {
      if (inForce.identity) await reporter.report(detectSite({ site, blocked: true, definition: null, imitates }), true, inForce.identity);
    },
    failed: (err) => log(messages.terminal.notWritten('Which paused pages are open', err)),
  });
  const protect = protection({
    ...{ os, inForce, now, log, act, reporter, waiting, moneyRest: money, launches, meshVpns: seenMeshVpns, countNewProgram },
    isLocked: () => controls.lock.current() !== null,
    starts: starts({ os, firstStart, now }),
    appointments: controls.appointments,
    endAppointments,
    endPause: () => void controls.resume().catch((err: unknown) => log(messages.terminal.notWritten('The end of the pause', err))),
  });
  const protectStored = storedProtection({ act, now });
  const stored =
    deps.quarantineFolder !== null && quarantine ? { folder: join(deps.quarantineFolder, 'looks'), quarantine, protectStored } : null;
  const scanner = await diskScan({ os, stored, inForce, now, failed, log, events, guard });
  const notRemembered = (err: unknown) => {
    log(messages.terminal.notWritten('Which sites were opened', err));
    return null;
  };
  const isUninstalling = () => store.isUninstalling(now().getTime());
  const sites =
    deps.sites &&
    startDnsFilter({
      ...{ os, log, plan: deps.sites, rules: inForce.rules, money: money.now, definitions: inForce.definitions },
      ...{ openedSites: paused.opened, pausesYoung: () => inForce.unlisted().young_sites },
      remembered: {
        load: () => store.openedSites.load(now().getTime()).catch(notRemembered),
        add: (hashes) => void store.openedSites.add(hashes, now().getTime()).catch(notRemembered),
      },
      ...{ protectiveResolver: inForce.protectiveResolver, up: () => readClock().up },
      sites: async () => (await store.feed.load())?.content?.sites ?? null,
      isUninstalling,
      isWanted: () => inForce.identity !== null || inForce.free !== null,
      onAttempt: protect.siteTried,
    });

  const browsers = deps.sites?.system
    ? browserPolicies({
        ...{ store: os.browserPolicies(guard), record: store.browserPolicies },
        wanted: inForce.wantedBrowserPolicies,
        ...{ isUninstalling, log },
      })
    : null;

  const doorsWatch =
    doors &&
    doorWatch({
      ...{ doors, act, reporter, endAppointments, file: store.doors, isUninstalling, up: () => readClock().up },
      program: async () => [deps.version, ...(await store.failedUpdates())].join(' '),
      action: () => (inForce.paused() ? null : inForce.unlisted().doors),
      identity: () => inForce.identity,
      failed: (err) => log(messages.terminal.notWritten('The doors of this computer', err)),
    });

  const network = deps.sites?.system ? os.network() : null;
  const isolation = await networkIsolation({
    ...{ network, record: store.isolation, isUninstalling },
    ...{ server, addresses: serverAddresses, readClock, log },
    policy: () => (inForce.identity && inForce.policy?.device === inForce.identity.device.uuid ? inForce.policy : null),
    reconnected: () => queueEvent({ kind: 'reconnected' }),
    report: (report) => queueEvent({ kind: 'isolation', ...report }),
  });

  const limitations = () => limitationsOf({ os, sites: deps.sites?.system ? sites : null, network });
  const info = () => {
    const isUnarmed = inForce.identity !== null && inForce.compiled() === null;
    return {
      ...{ ...os.info(), agent_version: deps.version, limitations: limitations() },
      ...(isUnarmed ? { no_definitions: { clock_off_days: ownClock.daysOff() } } : {}),
    };
  };

  const session = openSession({
    ...{ store, call, inForce, info, random, log, now, events },
    ...{
      formerAccount: controls.formerAccount,
      lock: controls.lock,
      fetchPart: partFetcher(server),
      watchSleep: os.watchSleep,
      reportMore: scanner.report,
      noteServerTime: ownClock.noteServerTime,
    },
    problems: problems.all,
    asks: () => incidents.asks(now(), inForce.identity?.device.uuid),
    notified: incidents.addAnswers,
    up: () => readClock().up,
  });
  const ownership = await ownershipOf({
    ...{ store, call, server, info, inForce, now, readClock, random, log, events },
    ...{ mayLink: controls.checkMayLink, mayUndo: controls.checkMayUndo, session },
  });

  const screen = localScreen({
    ...{ os, events, inForce, incidents, pausedSites: paused, controls, ownership, isolation, diskScan: scanner, now },
    ...{ problems: problems.all, limitations, version: deps.version, lastContact: session.lastContact },
  });
  const origins = await knownOrigins(async () => (await store.keys()) ?? (await pinKeys({ store, call })));
  const loopback = await keepListening({
    port: deps.loopback_port,
    origins: origins.known,
    status: () => ({ g: inForce.identity === null && inForce.free !== null, l: inForce.identity !== null, v: deps.version }),
    takeLink: screen.takeLink,
    window: screen.handle,
    onPortFree: () => log(messages.terminal.portFree(deps.loopback_port)),
  });
  const showWindow = windowOpener({ os, newUrl: screen.newUrl, port: loopback.windowPort, log });

  problems.add(() => (loopback.port() === null ? [messages.terminal.portTaken(deps.loopback_port)] : []));
  problems.add(() => [protocolProblem()].filter((sentence) => sentence !== null));
  problems.add(() => os.limitations());
  if (sites) problems.add(sites.problems);
  if (browsers) problems.add(browsers.problems);
  problems.add(isolation.problems);
  problems.add(() => (inForce.rules() && !inForce.compiled() ? [messages.terminal.noDefinitions] : []));
  problems.add(() => [ownClock.problem()].filter((sentence) => sentence !== null));
  if (loopback.port() === null) log(messages.terminal.portTaken(deps.loopback_port));
  for (const sentence of os.limitations()) log(sentence);

  // Listeners come last, because every part starts with the current state.
  events.on('incidentOver', incidents.forget);
  events.on('policyChanged', isolation.changed);
  events.on('policyChanged', money.review);
  events.on('policyChanged', protect.changed);
  if (sites) events.on('policyChanged', sites.changed);
  events.on('policyChanged', paused.review);
  if (sites) events.on('moneyRestChanged', sites.changed);
  if (sites) events.on('pausedSitesChanged', sites.changed);
  if (browsers) events.on('policyChanged', browsers.changed);
  if (doorsWatch) events.on('policyChanged', doorsWatch.review);
  events.on('policyChanged', scanner.consider);
  events.on('reportQueued', session.report);
  events.on('checkInDue', session.checkIn);
  events.on('windowWanted', () => showWindow());

  isolation.changed();
  protect.rescan();
  session.start();
  sites?.changed();
  browsers?.changed();
  scanner.consider();

  let steppedBack = false;
  return {
    get port() {
      return loopback.port();
    },
    link: ownership.link,
    isolation,
    async startLinkSettled() {
      inForce.isNew = false;
      if (deps.freeAgent && !(await store.freePlan())) await store.setFreePlan('chosen');
    },
    showWindow: () => showWindow(),
    needHelp() {
      void controls.help().catch((err: unknown) => log(messages.terminal.notWritten('The call for help', err)));
      showWindow('help');
    },
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
      // Only one agent at a time can answer DNS queries or scan the disk.
      await sites?.close();
      await doorsWatch?.close();
      await browsers?.close(false);
      await isolation.close(false);
      await scanner.close();
    },
    mayLeave: controls.checkMayUninstall,
    async close(why) {
      if (steppedBack) {
        await protect.close('leave');
        money.close();
        paused.close();
        origin?.close();
        return;
      }
      session.stopWatchingSleep();
      origins.close();
      controls.close();
      await protect.close();
      money.close();
      paused.close();
      origin?.close();
      await isolation.close(true);
      await sites?.close();
      await doorsWatch?.close();
      await browsers?.close(deps.installed !== true);
      await scanner.close();
      await ownership.close();
      await session.close();
      // The goodbye comes last, because a later check-in would revoke it.
      const leaving = why === 'stopped' && (await isUninstalling());
      if (why && inForce.identity) await sayGoodbye(call, inForce.identity, { reason: leaving ? 'uninstalled' : why });
      await loopback.close();
    },
  };
}
