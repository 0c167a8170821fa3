import { randomUUID } from 'node:crypto';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { limits } from '@porchlight/contract/limits.ts';
import type { News } from '@porchlight/contract/news.ts';
import { LinkRefused } from '../api/enrol.ts';
import type { ClockReading } from '../lib/span.ts';
import type { AgentEvents, LocalControls, Log } from '../ports.ts';
import type { InForce } from '../state/in-force.ts';
import type { Identity, Store } from '../state/store.ts';
import { messages } from '../ui/messages/messages.ts';
import { formerAccount } from './former-account.ts';
import { pinGate, type RemotePinCheck } from './gate.ts';
import { pauseTimer } from './pause.ts';
import { timedAllowances } from './timed-allowances.ts';

export interface LocalControlsDeps {
  store: Store;
  inForce: InForce;
  readClock: () => ClockReading;
  log: Log;
  checkPinRemotely: (identity: Identity, typed: string) => ReturnType<RemotePinCheck>;
  events: AgentEvents;
}

/** How often the rest of a lock is persisted. */
const PERSIST_MS = 5000;

/** The user's controls. What weakens protection needs the PIN, and is reported. */
export async function localControls({
  store,
  inForce,
  readClock,
  log,
  checkPinRemotely,
  events,
}: LocalControlsDeps): Promise<LocalControls> {
  const queueNews = async (said: News['said']) => {
    await store.queueNews({ uuid: randomUUID(), time: new Date(readClock().wall).toISOString(), said });
    events.emit('reportQueued');
  };
  const changed = () => events.emit('policyChanged');
  const device = () => inForce.identity?.device.uuid ?? null;
  const notWritten = (what: string) => (err: unknown) => log(messages.terminal.notWritten(what, err));
  const guessed = () => queueNews({ kind: 'pin_guessed' }).catch(notWritten('That somebody guesses the PIN'));
  const former = await formerAccount({ store, readClock, device });
  inForce.formerPin = former.pin;
  const allowed = await timedAllowances({ store, readClock, policy: () => (inForce.identity ? inForce.policy : null), ended: changed });
  inForce.stillAllowed = allowed.inForce;
  const ask = () => {
    const { identity, policy } = inForce;
    // Without a policy it is unknown whose PIN it would be.
    return identity && policy ? (typed: string) => checkPinRemotely(identity, typed) : null;
  };
  const gate = pinGate({ store, hash: inForce.pin, ask, readClock, guessed });
  const left = (err: unknown) => messages.terminal.notWritten('What is left of a pause', err);
  const reportResumed = () => queueNews({ kind: 'resumed' }).catch(notWritten('That protection goes on'));
  const pause = await pauseTimer({
    ...{ store, readClock, device, changed, log, over: messages.terminal.pauseOver, notWritten: left },
    resumed: () => (inForce.identity ? (inForce.policy?.resume ?? null) : null),
    endedFromAfar() {
      log(messages.terminal.resumedFromAfar);
      void reportResumed();
    },
  });
  inForce.paused = () => pause.left() > 0;
  await gate.seen().catch(notWritten('How long no PIN is taken'));
  const keeping = setInterval(() => {
    for (const seen of [gate.seen, former.seen]) seen().catch(() => {});
  }, PERSIST_MS);

  /** The user gets a sentence of ours, not the disk's error. */
  const orSay = <T>(work: Promise<T>): Promise<T> =>
    work.catch((err: unknown) => {
      notWritten('What was asked')(err);
      throw new Error(messages.notWritten);
    });
  /** Null when the PIN is right, else why not. */
  const refusal = async (pin: string): Promise<string | null> => {
    const verdict = await orSay(gate.check(pin));
    if (verdict.ok) return null;
    if (verdict.why === 'wrong') return messages.pin.wrong(verdict.left);
    return verdict.why === 'locked' ? messages.pin.locked(verdict.wait) : messages.pin[verdict.why];
  };
  const begin = async (minutes: number) => {
    const until = await pause.begin(minutes);
    try {
      await queueNews({ kind: 'paused', until: until.toISOString() });
    } catch (err) {
      // A pause that cannot be reported does not begin.
      await pause.resume();
      throw err;
    }
  };
  const mayLeave = async (pin: string | undefined) => {
    if (!inForce.asksPin()) return;
    if (pin === undefined) throw new LinkRefused('pin_needed', inForce.identity ? messages.pin.needed : messages.pin.neededStill);
    const why = await refusal(pin);
    if (why) throw new LinkRefused('pin_refused', why);
  };
  return {
    pausedFor: pause.left,
    formerAccount: former,
    async pause(minutes, pin) {
      if (!agentLimits.pause_minutes.some((allowed) => allowed === minutes)) throw new Error(messages.pause.choose);
      if (inForce.strict()) throw new Error(messages.firstDay.noPause);
      const why = await refusal(pin);
      if (why) throw new Error(why);
      await orSay(begin(minutes));
      log(messages.terminal.paused(minutes));
    },
    async resume() {
      if (!(await pause.resume())) return;
      await reportResumed();
      log(messages.terminal.resumed);
    },
    ask: (name) => orSay(queueNews({ kind: 'asked', name: name.slice(0, limits.name_max) })),
    mayLeave,
    async mayUninstall(pin) {
      await mayLeave(pin);
      await store.setLeaving(readClock().wall);
    },
    async mayPutBack(pin) {
      const why = inForce.asksPin() && (await refusal(pin));
      if (why) throw new Error(why);
    },
    close() {
      clearInterval(keeping);
      allowed.close();
      pause.close();
    },
  };
}
