import { randomUUID } from 'node:crypto';
import type { DevicePolicy, ReportedDetection } from '@porchlight/contract/agent.ts';
import { freePlan } from '@porchlight/contract/policies.ts';
import type { DefinitionSet } from '@porchlight/definitions/format.ts';
import { type CompiledSet, compileSet } from '@porchlight/definitions/match.ts';
import { detectors } from './detectors/all.ts';
import type { Finding, Rules } from './detectors/detector.ts';
import { watchEndings } from './enforce/endings.ts';
import { plan } from './enforce/plan.ts';
import { responder } from './enforce/responder.ts';
import { type Linking, linking } from './linking.ts';
import { originsOf } from './loopback/guard.ts';
import { startLoopback } from './loopback/server.ts';
import type { Os, ProcessSeen } from './os/port.ts';
import type { FreePlan, Identity, Store } from './state/store.ts';
import { caller } from './sync/call.ts';
import { pinKeys } from './sync/enrol.ts';
import { startFreePlan } from './sync/free-plan.ts';
import { sayGoodbye } from './sync/goodbye.ts';
import { partFetcher } from './sync/parts.ts';
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
  /** Protect this computer with the free plan, unless it is a device. */
  free: boolean;
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
  /** `why`: what the server is told of the end; nothing when it is left out. */
  close(why?: 'shutdown' | 'stopped'): Promise<void>;
}

/** What protects a computer that is no device: the free plan (1.2, P3.6, P4.1). */
const freeRules: Rules = { ...freePlan, allow: [...freePlan.allow] };

/** The agent: observe → detect → plan → apply → report. A computer that is no device has the free plan, or is idle (3.18, 6.8). */
export async function startAgent(parts: AgentParts): Promise<Agent> {
  const { os, store, server, now, log } = parts;
  const call = caller(server);
  const taking = { fetchPart: partFetcher(server), now };
  const info = () => ({ ...os.info(), agent_version: parts.version });
  const seenIncidents = incidents();

  let identity: Identity | null = await store.identity();
  const kept = await store.policy();
  // Of the device that this computer is now, not of one that it was before.
  let policy: DevicePolicy | null = kept && kept.device === identity?.device.uuid ? kept : null;
  let definitions: DefinitionSet | null = await store.definitions();
  let compiled: CompiledSet | null = definitions && compileSet(definitions);
  /** In force while this computer is no device, and until the policy of the device that it becomes is there. */
  let free: FreePlan | null = identity ? null : await store.freePlan();
  if (!identity && !free && parts.free) {
    free = 'chosen';
    await store.setFreePlan(free);
  }
  let fetching: ReturnType<typeof startFreePlan> | null = null;
  let notice: string | null = null;
  let sync: Sync | null = null;
  let origins: string[] = [];

  const report = async ({ match, process }: Finding, blocked: boolean, whose: Identity | null) => {
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
    // What was found while this computer was another device, or nobody's, is not told as this one's.
    const ours = whose !== null && whose === identity;
    // On disk before anyone is told: what happens to us next does not lose it (P4.5).
    if (ours) {
      await store.queue(detection);
      sync?.report();
    }
    log(words.terminal.stopped(match.name, blocked));
    const what_to_do = definitions?.definitions.find((d) => d.identifier === match.identifier)?.help.what_to_do ?? '';
    if (seenIncidents.add({ match, blocked, what_to_do, family_told: ours }, now())) showWindow();
  };
  const response = responder(os, report, (err) => log(`A detection could not be kept: ${String(err)}`));
  const rules = (): Rules | null => (identity && policy) ?? (free && freeRules);
  const look = (processes: ProcessSeen[]) => {
    const inForce = rules();
    if (!inForce || !compiled) return;
    const set = compiled;
    const findings = detectors.flatMap((detect) => detect({ processes, now: now() }, inForce, set));
    for (const step of plan(findings)) response.take(step, identity);
  };

  const window = agentWindow(
    () => ({
      link: identity
        ? { state: 'linked', device: policy?.device_name ?? identity.device.name }
        : { state: free === 'chosen' ? 'free' : (free ?? 'unlinked') },
      incident: seenIncidents.current(now()),
      family: (identity && policy?.family) ?? [],
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
  const useDefinitions = (next: DefinitionSet) => {
    definitions = next;
    compiled = compileSet(next);
  };
  /** While this computer is no device. */
  const fetchFree = () => {
    fetching = startFreePlan({
      ...taking,
      store,
      call,
      random: parts.random,
      log,
      known: () => definitions,
      changed: (next) => {
        if (!compiled && free === 'chosen') log(words.terminal.free);
        useDefinitions(next);
        response.forget();
        watchAnew();
      },
    });
  };
  const begin = (now: Identity) => {
    identity = now;
    let protecting = false;
    // Said only once it is true: with a policy and definitions in force.
    const sayProtecting = () => {
      if (!protecting && policy && compiled) log(words.terminal.watching(policy.device_name));
      protecting = policy !== null && compiled !== null;
    };
    sayProtecting();
    sync = startSync(
      {
        ...taking,
        store,
        call,
        info,
        random: parts.random,
        log,
        problems: os.limitations,
        known: () => ({ policy, definitions }),
        changed: (news) => {
          if (news.definitions) useDefinitions(news.definitions);
          if (news.policy) {
            policy = news.policy;
            free = null;
          }
          sayProtecting();
          response.forget();
          watchAnew();
        },
        unlinked: (why) => {
          // It has become another device in the meantime.
          if (identity !== now) return;
          identity = null;
          free = 'removed';
          log(words.terminal[why]);
          // In this order: what breaks off between the two is told once more by the server.
          void store.setFreePlan(free).then(store.forgetIdentity);
          response.forget();
          watchAnew();
          fetchFree();
          showWindow();
        },
      },
      now,
    );
  };
  const link = linking({ store, call, server, info, now }, async (linked) => {
    identity = linked;
    await Promise.all([sync?.close(), fetching?.close()]);
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
    status: () => ({ g: identity === null && free !== null, l: identity !== null, v: parts.version }),
    takeLink: link.byLink,
    window: window.handle,
  });
  if (!loopback) log(words.terminal.portTaken(parts.loopback_port));
  for (const sentence of os.limitations()) log(sentence);

  watchAnew();
  const endings = watchEndings({ now, allow: () => rules()?.allow ?? [], ended: watchAnew });
  const retrying = setInterval(() => {
    const blockable = response.stillRunning();
    if (blockable.length) look(blockable);
  }, retryEvery);
  if (identity) begin(identity);
  else {
    const chosen = compiled ? words.terminal.free : words.terminal.freeWaits;
    log(free === 'removed' ? words.terminal.removed : free ? chosen : words.terminal.idle);
    if (free) fetchFree();
  }

  return {
    port: loopback?.port ?? null,
    link,
    async close(why) {
      clearInterval(learning);
      clearInterval(retrying);
      endings.close();
      watch?.close();
      // A program that was just ended is on the disk before we go (P4.5).
      await response.settled();
      await Promise.all([sync?.close(), fetching?.close()]);
      // Last of all: a check-in that came after it would take it back.
      if (why && identity) await sayGoodbye(call, identity, { reason: why });
      await loopback?.close();
    },
  };
}
