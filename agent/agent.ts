import { randomUUID } from 'node:crypto';
import type { DevicePolicy, ReportedDetection } from '@porchlight/contract/agent.ts';
import type { DefinitionSet } from '@porchlight/definitions/format.ts';
import { type CompiledSet, compileSet } from '@porchlight/definitions/match.ts';
import { detectors } from './detectors/all.ts';
import type { Finding, Rules } from './detectors/detector.ts';
import { apply } from './enforce/apply.ts';
import { watchEndings } from './enforce/endings.ts';
import { plan, type Step } from './enforce/plan.ts';
import { type Linking, linking } from './linking.ts';
import { originsOf } from './loopback/guard.ts';
import { startLoopback } from './loopback/server.ts';
import type { Os, ProcessSeen } from './os/port.ts';
import type { Identity, Store } from './state/store.ts';
import { caller } from './sync/call.ts';
import { pinKeys } from './sync/enrol.ts';
import { type Sync, startSync } from './sync/sync.ts';
import { incidents } from './window/incidents.ts';
import { agentWindow } from './window/window.ts';
import { words } from './window/words.ts';

/** How often the running programs are looked at. */
const watchEvery = 250;
/** How often it is tried again to end what could not be ended. */
const retryEvery = 2000;

export interface AgentParts {
  os: Os;
  store: Store;
  /** PORCHLIGHT_SERVER, without a slash at the end. */
  server: string;
  version: string;
  loopback_port: number;
  now: () => Date;
  random: () => number;
  /** One plain sentence for the person at the terminal. */
  log: (sentence: string) => void;
}

export interface Agent {
  /** Where the loopback calls are answered; null when another program has the port. */
  port: number | null;
  link: Linking;
  close(): Promise<void>;
}

/** What protects a computer whose device was removed: the free plan (P3.6, P4.1). */
const freeRules: Rules = {
  actions: { RemoteControl: 'block', DeceptiveUtility: 'ignore', ScamWebsite: 'ignore' },
  block_likely: true,
  allow: [],
};

/** The agent: observe → detect → plan → apply → report. Until it is linked it is idle. */
export async function startAgent(parts: AgentParts): Promise<Agent> {
  const { os, store, server, now, log } = parts;
  const call = caller(server);
  const info = () => ({ ...os.info(), agent_version: parts.version });
  const seenIncidents = incidents();

  let identity: Identity | null = await store.identity();
  const kept = await store.policy();
  // Of the device that this computer is now, not of one that it was before.
  let policy: DevicePolicy | null = kept && kept.device === identity?.device.uuid ? kept : null;
  let definitions: DefinitionSet | null = await store.definitions();
  let compiled: CompiledSet | null = definitions && compileSet(definitions);
  /** It was linked once: the definitions are there. Also after a restart it is not as if it had never been. */
  let removed = !identity && definitions !== null;
  let notice: string | null = null;
  let sync: Sync | null = null;
  let origins: string[] = [];
  /** Findings that were not stopped: looked at again, told again only when the outcome changes. */
  const unstopped = new Map<string, Finding>();
  const keyOf = (process: ProcessSeen) => `${process.pid}:${process.started}`;

  const report = async ({ match, process }: Finding, blocked: boolean) => {
    const detection: ReportedDetection = {
      uuid: randomUUID(),
      time: now().toISOString(),
      name: match.name,
      identifier: match.identifier,
      category: match.category,
      details: process.path.slice(0, 2000),
      blocked,
      certainty: match.certainty,
    };
    // On disk before anyone is told: what happens to us next does not lose it (P4.5).
    await store.queue(detection);
    sync?.report();
    log(words.terminal.stopped(match.name, blocked));
    const help = definitions?.definitions.find((d) => d.identifier === match.identifier)?.help.what_to_do ?? '';
    if (seenIncidents.add(match, blocked, help, now())) showWindow();
  };
  /** Processes that something is being done about, each with what is to be done next: it may be looked at again before that is over. */
  const underWay = new Map<string, Step | null>();
  const carryOut = async (step: Step): Promise<void> => {
    const key = keyOf(step.finding.process);
    if (underWay.has(key)) {
      underWay.set(key, step);
      return;
    }
    underWay.set(key, null);
    try {
      const stopped = await apply(os, step);
      const toldBefore = unstopped.has(key);
      if (stopped) unstopped.delete(key);
      else unstopped.set(key, step.finding);
      if (stopped || !toldBefore) await report(step.finding, stopped);
    } finally {
      const next = underWay.get(key);
      underWay.delete(key);
      if (next && os.isRunning(next.finding.process)) await carryOut(next);
    }
  };
  const atWork = new Set<Promise<void>>();
  const rules = (): Rules | null => (identity ? policy : removed ? freeRules : null);
  const look = (processes: ProcessSeen[]) => {
    const inForce = rules();
    if (!inForce || !compiled) return;
    const set = compiled;
    const findings = detectors.flatMap((detect) => detect({ processes, now: now() }, inForce, set));
    for (const step of plan(findings)) {
      const work = carryOut(step).catch((err: unknown) => log(`A detection could not be kept: ${String(err)}`));
      atWork.add(work);
      void work.finally(() => atWork.delete(work));
    }
  };

  const window = agentWindow(
    () => ({
      link: identity
        ? { state: 'linked', device: policy?.device_name ?? identity.device.name }
        : { state: removed ? 'removed' : 'unlinked' },
      incident: seenIncidents.current(now()),
      family: policy?.family ?? [],
      limitations: os.limitations(),
      notice,
    }),
    async (code) => {
      notice = await link.byCode(code).then(
        () => null,
        (err: Error) => err.message,
      );
    },
    () => now().getTime(),
  );
  const showWindow = () => {
    if (!loopback) return;
    const url = window.newUrl(loopback.port);
    if (!os.openWindow(url)) log(words.terminal.window(url));
  };

  /** Looks at everything that runs, as when something was just switched on. */
  let watch: { close(): void } | null = null;
  const watchAnew = () => {
    watch?.close();
    watch = os.watchProcesses(watchEvery, look);
  };
  const begin = (now: Identity) => {
    identity = now;
    removed = false;
    let protecting = false;
    // Said only once it is true: with a policy and definitions in force.
    const sayProtecting = () => {
      if (!protecting && policy && compiled) log(words.terminal.watching(policy.device_name));
      protecting = policy !== null && compiled !== null;
    };
    sayProtecting();
    sync = startSync(
      {
        store,
        call,
        info,
        random: parts.random,
        log,
        problems: os.limitations,
        known: () => ({ policy, definitions }),
        changed: (news) => {
          if (news.definitions) {
            definitions = news.definitions;
            compiled = compileSet(definitions);
          }
          if (news.policy) policy = news.policy;
          sayProtecting();
          unstopped.clear();
          watchAnew();
        },
        unlinked: (why) => {
          identity = null;
          removed = true;
          log(words.terminal[why]);
          void store.forgetIdentity();
          showWindow();
        },
      },
      now,
    );
  };
  const link = linking({ store, call, server, info, now }, async (linked) => {
    await sync?.close();
    policy = null;
    begin(linked);
    log(words.terminal.linked(linked.device.name));
  });

  const learnOrigins = async () => {
    const pinned = (await store.keys()) ?? (await pinKeys({ store, call }));
    origins = originsOf(pinned.public_url);
  };
  await learnOrigins().catch(() => {});
  const learning = setInterval(() => {
    if (origins.length) clearInterval(learning);
    else void learnOrigins().catch(() => {});
  }, 1000);

  const loopback = await startLoopback({
    port: parts.loopback_port,
    origins: () => origins,
    status: () => ({ g: false, l: identity !== null, v: parts.version }),
    takeLink: link.byLink,
    window: window.handle,
  });
  if (!loopback) log(words.terminal.portTaken(parts.loopback_port));
  for (const sentence of os.limitations()) log(sentence);

  watchAnew();
  const endings = watchEndings({ now, allow: () => rules()?.allow ?? [], ended: watchAnew });
  const retrying = setInterval(() => {
    for (const [key, finding] of unstopped) {
      if (!os.isRunning(finding.process)) unstopped.delete(key);
    }
    const blockable = [...unstopped.values()].filter((f) => f.wanted === 'block').map((f) => f.process);
    if (blockable.length) look(blockable);
  }, retryEvery);
  if (identity) begin(identity);
  else log(removed ? words.terminal.removed : words.terminal.idle);

  return {
    port: loopback?.port ?? null,
    link,
    async close() {
      clearInterval(learning);
      clearInterval(retrying);
      endings.close();
      watch?.close();
      // A program that was just ended is on the disk before we go (P4.5).
      await Promise.all(atWork);
      await sync?.close();
      await loopback?.close();
    },
  };
}
