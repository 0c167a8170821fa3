import { control } from './control.ts';
import { readInForce } from './in-force.ts';
import type { Moment } from './lib/span.ts';
import { type Linking, linking } from './linking.ts';
import { knownOrigins } from './loopback/origins.ts';
import { startLoopback } from './loopback/server.ts';
import type { Os } from './os/port.ts';
import { outcomes } from './outcome.ts';
import { protection } from './protect.ts';
import { windowOf } from './screen.ts';
import { session } from './session.ts';
import type { Store } from './state/store.ts';
import { caller } from './sync/call.ts';
import { pinKeys } from './sync/enrol.ts';
import { sayGoodbye } from './sync/goodbye.ts';
import { partFetcher } from './sync/parts.ts';
import { incidents } from './window/incidents.ts';
import { words } from './window/words.ts';

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
  /** Of the clock and of what nobody can set, for what must not be shortened or stretched. */
  moment: () => Moment;
  random: () => number;
  /** One plain sentence for the person at the terminal. */
  log: (sentence: string) => void;
}

export interface Agent {
  /** Where the loopback calls are answered; null when another program has the port. */
  port: number | null;
  link: Linking;
  /** Shows the window, or says where it is. */
  showWindow(): void;
  /** Throws a sentence unless this computer belongs to nobody, or the PIN is right; what ends within ten minutes is told as uninstalled. */
  mayLeave(pin: string | undefined): Promise<void>;
  /** `why`: what the server is told of the end; nothing when it is left out. */
  close(why?: 'shutdown' | 'stopped'): Promise<void>;
}

/** The agent: observe → detect → plan → apply → report. A computer that is no device has the free plan, or is idle (3.18, 6.8). */
export async function startAgent(parts: AgentParts): Promise<Agent> {
  const { os, store, server, now, moment, log, random } = parts;
  const call = caller(server);
  const info = () => ({ ...os.info(), agent_version: parts.version });
  const seen = incidents();
  const inForce = await readInForce(store, parts.free);

  const hands = await control({
    ...{ store, inForce, moment, log },
    queued: () => linked.report(),
    changed: () => protect.changed(),
  });
  const screen = windowOf({
    ...{ os, inForce, incidents: seen, control: hands, now, log },
    link: { byCode: (...typed) => link.byCode(...typed), byLink: (...handed) => link.byLink(...handed) },
    port: () => loopback?.port ?? null,
    version: parts.version,
    lastContact: () => linked.lastContact(),
  });
  const showWindow = screen.show;

  const tell = outcomes({ store, inForce, incidents: seen, now, log, queued: () => linked.report(), showWindow });
  const protect = protection({ os, inForce, now, log, tell });
  const linked = session({
    ...{ store, call, inForce, info, random, log, now, showWindow },
    fetchPart: partFetcher(server),
    problems: os.limitations,
    changed: protect.changed,
  });
  const link = linking({ store, call, server, info, now, mayLeave: hands.mayLeave }, linked.become);

  const origins = await knownOrigins(async () => (await store.keys()) ?? (await pinKeys({ store, call })));
  const loopback = await startLoopback({
    port: parts.loopback_port,
    origins: origins.known,
    status: () => ({ g: inForce.identity === null && inForce.free !== null, l: inForce.identity !== null, v: parts.version }),
    takeLink: screen.takeLink,
    window: screen.handle,
  });
  if (!loopback) log(words.terminal.portTaken(parts.loopback_port));
  for (const sentence of os.limitations()) log(sentence);

  protect.anew();
  linked.start();

  return {
    port: loopback?.port ?? null,
    link,
    showWindow,
    mayLeave: hands.mayUninstall,
    async close(why) {
      origins.close();
      hands.close();
      // A program that was just ended is on the disk before we go (P4.5).
      await protect.close();
      await linked.close();
      // Last of all: a check-in that came after it would take it back.
      const leaving = why === 'stopped' && (await store.isLeaving(now().getTime()));
      if (why && inForce.identity) await sayGoodbye(call, inForce.identity, { reason: leaving ? 'uninstalled' : why });
      await loopback?.close();
    },
  };
}
