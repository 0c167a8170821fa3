import type { AgentInfo } from '@porchlight/contract/agent.ts';
import type { InForce } from './in-force.ts';
import type { Identity, Store } from './state/store.ts';
import type { Call } from './sync/call.ts';
import type { FeedTaking } from './sync/feed.ts';
import { startFreePlan } from './sync/free-plan.ts';
import { type Sync, startSync } from './sync/sync.ts';
import { words } from './window/words.ts';

export interface SessionParts extends Omit<FeedTaking, 'store'> {
  store: Store;
  call: Call;
  inForce: InForce;
  info: () => AgentInfo;
  problems: () => string[];
  random: () => number;
  log: (sentence: string) => void;
  /** Something else is in force. */
  changed: () => void;
  showWindow: () => void;
  /** Sends what else there is to report. */
  reportMore: (call: Call, identity: Identity) => Promise<void>;
}

export interface Session {
  /** Goes on as what this computer was: a device, a computer with the free plan, or nothing yet. */
  start(): void;
  /** This computer has become a device, perhaps another one than it was. */
  become(identity: Identity): Promise<void>;
  /** There is something new to report. */
  report(): void;
  /** When the server last answered, since the start. */
  lastContact(): Date | null;
  close(): Promise<unknown>;
}

/** Who this computer is to the server, from one link to the next: the only place that changes what is in force. */
export function session(parts: SessionParts): Session {
  const { store, inForce, log, changed, showWindow } = parts;
  let fetching: { close(): Promise<void> } | null = null;
  let sync: Sync | null = null;
  let heard: Date | null = null;
  let forgetting: Promise<void> = Promise.resolve();
  const closeAll = async () => {
    await Promise.all([sync?.close(), fetching?.close()]);
    await forgetting.catch(() => {});
  };

  /** While this computer is no device. */
  const fetchFree = () => {
    fetching = startFreePlan({
      ...parts,
      known: inForce.definitions,
      changed: (next) => {
        if (!inForce.compiled() && inForce.free === 'chosen') log(words.terminal.free);
        inForce.useDefinitions(next);
        changed();
      },
    });
  };
  const unlinked = (was: Identity, why: 'removed' | 'revoked') => {
    // It has become another device in the meantime.
    if (inForce.identity !== was) return;
    inForce.identity = null;
    inForce.free = 'removed';
    log(words.terminal[why]);
    // In this order: what breaks off between the two is told once more by the server.
    forgetting = store.setFreePlan(inForce.free).then(store.forgetIdentity);
    forgetting.catch((err: unknown) => log(`It could not be kept that this computer is no device any more: ${String(err)}`));
    changed();
    fetchFree();
    showWindow();
  };
  const begin = (identity: Identity) => {
    inForce.identity = identity;
    let protecting = false;
    // Said only once it is true: with a policy and definitions in force.
    const sayProtecting = () => {
      const { policy } = inForce;
      const now = policy !== null && inForce.compiled() !== null;
      if (now && !protecting) {
        log(words.terminal.watching(policy.device_name));
        sync?.checkIn();
      }
      protecting = now;
    };
    sayProtecting();
    sync = startSync(
      {
        ...parts,
        known: () => ({ policy: inForce.policy, definitions: inForce.definitions() }),
        changed: (news) => {
          if (news.definitions) inForce.useDefinitions(news.definitions);
          if (news.policy) {
            inForce.policy = news.policy;
            inForce.free = null;
          }
          sayProtecting();
          changed();
        },
        unlinked: (why) => unlinked(identity, why),
        protecting: () => inForce.protects() !== null,
        heard: () => {
          heard = parts.now();
        },
      },
      identity,
    );
  };

  return {
    start() {
      const { identity, free } = inForce;
      if (identity) return begin(identity);
      const chosen = inForce.compiled() ? words.terminal.free : words.terminal.freeWaits;
      log(free === 'removed' ? words.terminal.removed : free ? chosen : words.terminal.idle);
      if (free) fetchFree();
    },
    async become(identity) {
      inForce.identity = identity;
      await closeAll();
      inForce.policy = null;
      changed();
      begin(identity);
      log(words.terminal.linked(identity.device.name));
    },
    report: () => sync?.report(),
    lastContact: () => heard,
    close: closeAll,
  };
}
