import type { AgentInfo, DevicePolicy } from '@porchlight/contract/agent.ts';
import type { Call } from '../api/call.ts';
import type { FeedDeps } from '../api/feed.ts';
import { startFreePlan } from '../api/free-plan.ts';
import { type Sync, type SyncDeps, startSync } from '../api/sync.ts';
import type { Os, SleepWatch } from '../os/port.ts';
import type { AgentEvents, FormerAccount, Log } from '../ports.ts';
import type { InForce } from '../state/in-force.ts';
import type { FreePlan, Identity, Store } from '../state/store.ts';
import { messages } from '../ui/messages/messages.ts';

export interface SessionDeps extends Omit<FeedDeps, 'store'> {
  store: Store;
  call: Call;
  inForce: InForce;
  info: () => AgentInfo;
  problems: () => string[];
  asks: SyncDeps['asks'];
  told: SyncDeps['told'];
  /** Left out where the system cannot report sleep in time. */
  watchSleep: Os['watchSleep'];
  up: () => number;
  random: () => number;
  log: Log;
  events: AgentEvents;
  formerAccount: FormerAccount;
  /** Sends what else there is to report. */
  reportMore: (call: Call, identity: Identity) => Promise<void>;
}

export interface Session {
  /** Resumes as what this computer was: a device, a computer with the free plan, or nothing yet. */
  start(): void;
  /**
   * This computer becomes a device, perhaps another one than before. `keep` persists what is still missing, and answers the known policy of that
   * device: nothing of the former state arrives after it. Throws the error of `keep`; then everything is as before.
   */
  become(identity: Identity, keep: () => Promise<DevicePolicy | null>): Promise<void>;
  /** This computer stops being a device by a decision made here: it has the free plan, or nothing. */
  release(free: FreePlan | null): Promise<void>;
  report(): void;
  checkIn(): void;
  /** When the server last answered since the start. */
  lastContact(): Date | null;
  stopWatchingSleep(): void;
  close(): Promise<void>;
}

const wholeOrNull = (ms: number | null) => (ms === null ? null : Math.ceil(ms));

/** Who this computer is to the server, from one link to the next: the only place that changes what is in force. */
export function openSession(deps: SessionDeps): Session {
  const { store, inForce, log, events, formerAccount } = deps;
  const changed = () => events.emit('policyChanged');
  let fetching: { close(): Promise<void> } | null = null;
  let sync: Sync | null = null;
  let sleep: SleepWatch | null = null;
  let heard: Date | null = null;
  let forgetting: Promise<void> = Promise.resolve();
  const stopWatchingSleep = () => {
    sleep?.close();
    sleep = null;
  };
  const closeAll = async () => {
    await Promise.all([sync?.close(), fetching?.close()]);
    await forgetting.catch(() => {});
  };

  const fetchFree = () => {
    fetching = startFreePlan({
      ...deps,
      known: inForce.definitions,
      changed: (next) => {
        if (!inForce.compiled() && inForce.free === 'chosen') log(messages.terminal.free);
        inForce.useDefinitions(next);
        changed();
      },
    });
  };
  const unlinked = (was: Identity, why: 'removed' | 'revoked') => {
    // This computer has become another device in the meantime.
    if (inForce.identity !== was) return;
    // Whoever removes a device may not be the user of the computer: its PIN counts for another day.
    const pin = why === 'removed' ? (inForce.policy?.pin ?? null) : null;
    const asking = Promise.all([formerAccount.removed(pin), formerAccount.known()]);
    inForce.identity = null;
    inForce.free = 'removed';
    log(messages.terminal[why]);
    // In this order: after a crash between the two the server answers the same once more.
    forgetting = asking.then(() => store.setFreePlan('removed')).then(store.forgetIdentity);
    forgetting.catch((err: unknown) => log(`It could not be kept that this computer is no device any more: ${String(err)}`));
    changed();
    fetchFree();
    events.emit('windowWanted');
  };
  const notKept = (err: unknown) => log(messages.terminal.notWritten('Whether the server knows this device', err));
  const unknown = async (was: Identity): Promise<boolean> => {
    if (inForce.identity !== was) return false;
    const first = formerAccount.unknownLeft() === null;
    const over = await formerAccount.unknown().catch((err: unknown) => {
      notKept(err);
      return false;
    });
    if (first && !over) {
      log(messages.terminal.unknown);
      events.emit('windowWanted');
    }
    return over;
  };
  const begin = (identity: Identity) => {
    inForce.identity = identity;
    let protecting = false;
    // Logged only once it is true: with a policy and definitions in force.
    const sayProtecting = () => {
      const { policy } = inForce;
      const now = policy !== null && inForce.compiled() !== null;
      if (now && !protecting) {
        log(messages.terminal.watching(policy.device_name));
        sync?.checkIn();
      }
      protecting = now;
    };
    sayProtecting();
    sync = startSync(
      {
        ...deps,
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
        isKnown: () => formerAccount.unknownLeft() === null,
        recognized: async () => {
          if (formerAccount.unknownLeft() !== null) log(messages.terminal.known);
          await formerAccount.known().catch(notKept);
        },
        unknown: () => unknown(identity),
        unlinked: (why) => unlinked(identity, why),
        standing: () => ({ strict_for: Math.ceil(inForce.strictFor()), leaves_in: wholeOrNull(inForce.leavesIn()) }),
        reportsSleep: () => sleep?.works() ?? false,
        protecting: () => inForce.protects() !== null,
        heard: () => {
          heard = deps.now();
        },
      },
      identity,
    );
  };

  const restart = () => {
    const { identity, free } = inForce;
    if (identity) begin(identity);
    else if (free) fetchFree();
  };

  return {
    start() {
      sleep = deps.watchSleep?.({ going: async () => sync?.asleep(), back: () => sync?.awake() }) ?? null;
      const { identity, free } = inForce;
      if (identity) return begin(identity);
      const chosen = inForce.compiled() ? messages.terminal.free : messages.terminal.freeWaits;
      log(free === 'removed' ? messages.terminal.removed : free ? chosen : messages.terminal.idle);
      if (free) fetchFree();
    },
    async become(identity, keep) {
      await closeAll();
      const policy = await keep().catch((err: unknown) => {
        restart();
        throw err;
      });
      inForce.identity = identity;
      // The state of the former device.
      await formerAccount.over().catch(notKept);
      inForce.policy = policy?.device === identity.device.uuid ? policy : null;
      changed();
      begin(identity);
      log(messages.terminal.linked(identity.device.name));
    },
    async release(free) {
      // Persist first: if that fails everything stays as it was.
      if (free) await store.setFreePlan(free);
      await store.forgetIdentity();
      inForce.identity = null;
      inForce.free = free;
      await closeAll();
      // Only a computer that its account removed still needs the former PIN.
      await formerAccount.over().catch(notKept);
      inForce.policy = null;
      changed();
      log(messages.terminal.released);
      if (free) fetchFree();
    },
    report: () => sync?.report(),
    checkIn: () => sync?.checkIn(),
    lastContact: () => heard,
    stopWatchingSleep,
    async close() {
      stopWatchingSleep();
      await closeAll();
    },
  };
}
