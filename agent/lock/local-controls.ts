import { randomUUID } from 'node:crypto';
import type { AgentEvent } from '@porchlight/contract/agent-events.ts';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { limits } from '@porchlight/contract/limits.ts';
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

const PERSIST_MS = 5000;

export async function localControls({
  store,
  inForce,
  readClock,
  log,
  checkPinRemotely,
  events,
}: LocalControlsDeps): Promise<LocalControls> {
  const queueEvent = async (event: AgentEvent['said']) => {
    await store.queueEvent({ uuid: randomUUID(), time: new Date(readClock().wall).toISOString(), said: event });
    events.emit('reportQueued');
  };
  const changed = () => events.emit('policyChanged');
  const device = () => inForce.identity?.device.uuid ?? null;
  const notWritten = (subject: string) => (err: unknown) => log(messages.terminal.notWritten(subject, err));
  const reportGuessing = () => queueEvent({ kind: 'pin_guessed' }).catch(notWritten('That somebody guesses the PIN'));
  const formerState = await formerAccount({ store, readClock, device });
  inForce.formerPin = formerState.pin;
  const allowances = await timedAllowances({ store, readClock, policy: () => (inForce.identity ? inForce.policy : null), ended: changed });
  inForce.stillAllowed = allowances.inForce;
  const ask = () => {
    const { identity, policy } = inForce;
    // Without a policy it is unknown which account's PIN to check.
    return identity && policy ? (typed: string) => checkPinRemotely(identity, typed) : null;
  };
  const gate = pinGate({ store, hash: inForce.pin, ask, readClock, onLocked: reportGuessing });
  const pauseNotWritten = (err: unknown) => messages.terminal.notWritten('What is left of a pause', err);
  const reportResumed = () => queueEvent({ kind: 'resumed' }).catch(notWritten('That protection goes on'));
  const pause = await pauseTimer({
    ...{ store, readClock, device, changed, log, over: messages.terminal.pauseOver, notWritten: pauseNotWritten },
    resumed: () => (inForce.identity ? (inForce.policy?.resume ?? null) : null),
    endedRemotely() {
      log(messages.terminal.resumedFromAfar);
      void reportResumed();
    },
  });
  inForce.paused = () => pause.left() > 0;
  await gate.persistLock().catch(notWritten('How long no PIN is taken'));
  const persisting = setInterval(() => {
    for (const persist of [gate.persistLock, formerState.persistTimeLeft]) persist().catch(() => {});
  }, PERSIST_MS);

  const orUserError = <T>(work: Promise<T>): Promise<T> =>
    work.catch((err: unknown) => {
      notWritten('What was asked')(err);
      throw new Error(messages.notWritten);
    });
  const refusal = async (pin: string): Promise<string | null> => {
    const verdict = await orUserError(gate.check(pin));
    if (verdict.ok) return null;
    if (verdict.why === 'wrong') return messages.pin.wrong(verdict.left);
    return verdict.why === 'locked' ? messages.pin.locked(verdict.wait) : messages.pin[verdict.why];
  };
  const begin = async (minutes: number) => {
    const until = await pause.begin(minutes);
    try {
      await queueEvent({ kind: 'paused', until: until.toISOString() });
    } catch (err) {
      await pause.resume();
      throw err;
    }
  };
  const mayLeave = async (pin: string | undefined) => {
    if (!inForce.asksPin()) return;
    if (pin === undefined) throw new LinkRefused('pin_needed', inForce.identity ? messages.pin.needed : messages.pin.neededStill);
    const refusalText = await refusal(pin);
    if (refusalText) throw new LinkRefused('pin_refused', refusalText);
  };
  return {
    pausedFor: pause.left,
    formerAccount: formerState,
    async pause(minutes, pin) {
      if (!agentLimits.pause_minutes.some((choice) => choice === minutes)) throw new Error(messages.pause.choose);
      if (inForce.strict()) throw new Error(messages.firstDay.noPause);
      const refusalText = await refusal(pin);
      if (refusalText) throw new Error(refusalText);
      await orUserError(begin(minutes));
      log(messages.terminal.paused(minutes));
    },
    async resume() {
      if (!(await pause.resume())) return;
      await reportResumed();
      log(messages.terminal.resumed);
    },
    ask: (name) => orUserError(queueEvent({ kind: 'asked', name: name.slice(0, limits.name_max) })),
    checkMayLeave: mayLeave,
    async checkMayUninstall(pin) {
      await mayLeave(pin);
      await store.beginUninstall(readClock().wall);
    },
    async checkMayRestore(pin) {
      const refusalText = inForce.asksPin() && (await refusal(pin));
      if (refusalText) throw new Error(refusalText);
    },
    close() {
      clearInterval(persisting);
      allowances.close();
      pause.close();
    },
  };
}
