import type { AgentInfo, DevicePolicy } from '@porchlight/contract/agent.ts';
import type { Call } from '../api/call.ts';
import type { FeedDeps } from '../api/feed.ts';
import { startFreePlan } from '../api/free-plan.ts';
import { type Sync, type SyncDeps, startSync } from '../api/sync.ts';
import type { Os, SleepWatch } from '../os/port.ts';
import type { AgentEvents, FormerAccount, Log, ServerWord } from '../ports.ts';
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
  notified: SyncDeps['notified'];
  watchSleep: Os['watchSleep'];
  up: () => number;
  random: () => number;
  log: Log;
  events: AgentEvents;
  formerAccount: FormerAccount;
  lock: ServerWord;
  noteServerTime: SyncDeps['noteServerTime'];
  reportMore: (call: Call, identity: Identity) => Promise<void>;
}

export interface Session {
  start(): void;
  /**
   * Makes this computer a device. `persist` stores what is missing and returns the device's stored policy; afterwards no update of the
   * former device arrives. Throws an error of `persist`; then nothing has changed.
   */
  become(identity: Identity, persist: () => Promise<DevicePolicy | null>): Promise<void>;
  /** Leaves the account by a decision on this computer, which then has the free plan or none. */
  release(free: FreePlan | null): Promise<void>;
  report(): void;
  checkIn(): void;
  lastContact(): Date | null;
  stopWatchingSleep(): void;
  close(): Promise<void>;
}

const wholeOrNull = (ms: number | null) => (ms === null ? null : Math.ceil(ms));

/** Connects this computer's identity with the server; no other code changes the state in force. */
export function openSession(deps: SessionDeps): Session {
  const { store, inForce, log, events, formerAccount } = deps;
  const changed = () => events.emit('policyChanged');
  let fetching: { close(): Promise<void> } | null = null;
  let sync: Sync | null = null;
  let sleep: SleepWatch | null = null;
  let lastAnswer: Date | null = null;
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
      changed: (newDefinitions) => {
        if (!inForce.compiled() && inForce.free === 'chosen') log(messages.terminal.free);
        inForce.useDefinitions(newDefinitions);
        changed();
      },
    });
  };
  const unlinked = (formerIdentity: Identity, why: 'removed' | 'revoked') => {
    if (inForce.identity !== formerIdentity) return;
    // An attacker may have removed the device, so its PIN is required for another day.
    const noted = why === 'removed' ? formerAccount.removed(formerIdentity, inForce.policy?.pin ?? null) : formerAccount.revoked();
    const asking = Promise.all([noted, formerAccount.noteRecognized()]);
    inForce.identity = null;
    inForce.free = 'removed';
    log(messages.terminal[why]);
    // The order matters: after a crash in between, the server gives the same answer again.
    forgetting = asking.then(() => store.setFreePlan('removed')).then(store.forgetIdentity);
    forgetting.catch((err: unknown) => log(`It could not be kept that this computer is no device any more: ${String(err)}`));
    changed();
    fetchFree();
    events.emit('windowWanted');
  };
  const logNotWritten = (err: unknown) => log(messages.terminal.notWritten('Whether the server knows this device', err));
  const noteUnrecognized = async (formerIdentity: Identity): Promise<boolean> => {
    if (inForce.identity !== formerIdentity) return false;
    const isFirst = formerAccount.unrecognizedLeft() === null;
    const hasExpired = await formerAccount.noteUnrecognized().catch((err: unknown) => {
      logNotWritten(err);
      return false;
    });
    if (isFirst && !hasExpired) {
      log(messages.terminal.unknown);
      events.emit('windowWanted');
    }
    return hasExpired;
  };
  const begin = (identity: Identity) => {
    inForce.identity = identity;
    let protecting = false;
    const logProtecting = () => {
      const { policy } = inForce;
      const isProtecting = policy !== null && inForce.compiled() !== null;
      if (isProtecting && !protecting) {
        log(messages.terminal.watching(policy.device_name));
        sync?.checkIn();
      }
      protecting = isProtecting;
    };
    logProtecting();
    sync = startSync(
      {
        ...deps,
        known: () => ({ policy: inForce.policy, definitions: inForce.definitions() }),
        changed: (changes) => {
          if (changes.definitions) inForce.useDefinitions(changes.definitions);
          if (changes.policy) {
            inForce.policy = changes.policy;
            inForce.free = null;
          }
          logProtecting();
          changed();
        },
        signedNow: () => inForce.signedNow(),
        isKnown: () => formerAccount.unrecognizedLeft() === null,
        recognized: async () => {
          if (formerAccount.unrecognizedLeft() !== null) log(messages.terminal.known);
          await formerAccount.noteRecognized().catch(logNotWritten);
        },
        unrecognized: () => noteUnrecognized(identity),
        unlinked: (why) => unlinked(identity, why),
        countdowns: () => ({ strict_for: Math.ceil(inForce.strictFor()), leaves_in: wholeOrNull(inForce.leavesIn()) }),
        reportsSleep: () => sleep?.works() ?? false,
        protecting: () => inForce.protects() !== null,
        answered: () => {
          lastAnswer = deps.now();
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
      sleep = deps.watchSleep?.({ beforeSleep: async () => sync?.asleep(), afterSleep: () => sync?.awake() }) ?? null;
      const { identity, free } = inForce;
      if (identity) return begin(identity);
      const startMessage = inForce.compiled() ? messages.terminal.free : messages.terminal.freeWaits;
      log(free === 'removed' ? messages.terminal.removed : free ? startMessage : messages.terminal.idle);
      if (free) fetchFree();
    },
    async become(identity, persist) {
      await closeAll();
      const policy = await persist().catch((err: unknown) => {
        restart();
        throw err;
      });
      inForce.identity = identity;
      await formerAccount.end().catch(logNotWritten);
      inForce.policy = policy?.device === identity.device.uuid ? policy : null;
      changed();
      begin(identity);
      log(messages.terminal.linked(identity.device.name));
    },
    async release(free) {
      if (free) await store.setFreePlan(free);
      await store.forgetIdentity();
      inForce.identity = null;
      inForce.free = free;
      await closeAll();
      // The former account's PIN is needed only after that account removed the computer.
      await formerAccount.end().catch(logNotWritten);
      inForce.policy = null;
      changed();
      log(messages.terminal.released);
      if (free) fetchFree();
    },
    report: () => sync?.report(),
    checkIn: () => sync?.checkIn(),
    lastContact: () => lastAnswer,
    stopWatchingSleep,
    async close() {
      stopWatchingSleep();
      await closeAll();
    },
  };
}
