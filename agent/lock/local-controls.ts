import { randomUUID } from 'node:crypto';
import type { AgentEvent } from '@porchlight/contract/agent-events.ts';
import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { emergencyLimits } from '@porchlight/contract/emergency-stops.ts';
import { limits } from '@porchlight/contract/limits.ts';
import { type CodePurpose, readOneTimeCode } from '@porchlight/contract/one-time-codes.ts';
import { LinkRefused } from '../api/enrol.ts';
import type { ClockReading } from '../lib/span.ts';
import type { AgentEvents, LocalControls, Log } from '../ports.ts';
import type { InForce } from '../state/in-force.ts';
import type { Identity, Store } from '../state/store.ts';
import { messages } from '../ui/messages/messages.ts';
import { appointments } from './appointments.ts';
import { deviceLock } from './device-lock.ts';
import { formerAccount } from './former-account.ts';
import { type PinVerdict, pinGate, type RemotePinCheck } from './gate.ts';
import { oneTimeCodeCheck } from './one-time-codes.ts';
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
  const queueEvent = async (event: AgentEvent['reported']) => {
    await store.queueEvent({ uuid: randomUUID(), time: new Date(readClock().wall).toISOString(), reported: event });
    events.emit('reportQueued');
  };
  const changed = () => events.emit('policyChanged');
  const device = () => inForce.identity?.device.uuid ?? null;
  const notWritten = (subject: string) => (err: unknown) => log(messages.terminal.notWritten(subject, err));
  const reportGuessing = async () => {
    await helping.end('danger').catch(notWritten('The end of the help'));
    await queueEvent({ kind: 'pin_guessed' }).catch(notWritten('That somebody guesses the PIN'));
  };
  const formerState = await formerAccount({ store, readClock, device });
  inForce.formerPin = formerState.pin;
  inForce.formerPinLeft = formerState.pinLeft;
  const allowances = await timedAllowances({ store, readClock, policy: () => (inForce.identity ? inForce.policy : null), ended: changed });
  inForce.stillAllowed = allowances.inForce;
  events.on('policyChanged', allowances.watch);
  const ask = () => {
    const { identity, policy } = inForce;
    // Without a policy it is unknown which account's PIN to check.
    const known = identity ? policy && identity : formerState.identity();
    return known ? (typed: string) => checkPinRemotely(known, typed) : null;
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
  inForce.isPauseCautious = () => pause.isByPin() && inForce.identity !== null && inForce.policy?.pin_shown === true;
  const lock = await deviceLock({
    ...{ store, readClock, device, changed, policy: () => inForce.policy, over: () => events.emit('incidentOver') },
    notWritten: notWritten('Whether the PIN alone is enough'),
  });
  inForce.helpLeft = lock.helpLeft;
  inForce.signedNow = () => new Date(lock.signed().now);
  const codes = oneTimeCodeCheck({ store, device, times: () => ({ wall: readClock().wall, ...lock.signed() }) });
  const helping = await appointments({
    ...{
      store,
      readClock,
      device,
      changed,
      policy: () => inForce.policy,
      suspended: inForce.strict,
      notWritten: notWritten('Who helps here'),
    },
    shown: () => events.emit('windowWanted'),
    ended: (appointment, end) => queueEvent({ kind: 'helped', appointment, end }),
  });
  inForce.helping = helping.running;
  events.on('policyChanged', helping.review);
  helping.review();
  await gate.persistLock().catch(notWritten('How long no PIN is taken'));
  const persisting = setInterval(() => {
    for (const persist of [gate.persistLock, formerState.persistTimeLeft, lock.persistTimeLeft]) persist().catch(() => {});
  }, PERSIST_MS);

  const orUserError = <T>(work: Promise<T>): Promise<T> =>
    work.catch((err: unknown) => {
      notWritten('What was asked')(err);
      throw new Error(messages.notWritten);
    });
  const relatives = () => inForce.policy?.relatives ?? [];
  const words = (verdict: PinVerdict & { ok: false }, isCode: boolean): string => {
    if (verdict.why === 'wrong') return isCode ? messages.lock.wrongCode(verdict.left) : messages.pin.wrong(verdict.left);
    return verdict.why === 'locked' ? messages.pin.locked(verdict.wait) : messages.pin[verdict.why];
  };
  /** What was typed is the PIN, or a one-time code for this purpose and program. Returns a sentence, or null when it may be done. */
  const refusal = async (typed: string, purpose: CodePurpose, program = '', peek?: 'peek'): Promise<string | null> => {
    const code = readOneTimeCode(typed);
    if (code === null && lock.current()) return messages.lock.pinNotEnough(relatives());
    const verifyCode = code === null ? undefined : await orUserError(codes.checker(purpose, program, peek));
    if (verifyCode === null) return messages.lock.noCodes;
    const verdict = await orUserError(gate.check(code ?? typed, verifyCode));
    return verdict.ok ? null : words(verdict, code !== null);
  };
  const begin = async (minutes: number, by_code: boolean) => {
    const until = await pause.begin(minutes, by_code);
    try {
      await queueEvent({ kind: 'paused', until: until.toISOString() });
    } catch (err) {
      await pause.resume();
      throw err;
    }
  };
  const mayLeave = async (typed: string | undefined, purpose: 'link' | 'uninstall', peek?: 'peek') => {
    if (!inForce.asksPin()) return;
    if (typed === undefined) throw new LinkRefused('pin_needed', inForce.identity ? messages.pin.needed : messages.pin.neededStill);
    const refusalText = await refusal(typed, purpose, '', peek);
    if (refusalText) throw new LinkRefused('pin_refused', refusalText);
  };
  return {
    pausedFor: pause.left,
    formerAccount: formerState,
    async pause(minutes, pin) {
      if (!agentLimits.pause_minutes.some((choice) => choice === minutes)) throw new Error(messages.pause.choose);
      if (inForce.strict()) throw new Error(messages.firstDay.noPause);
      const refusalText = await refusal(pin, 'pause');
      if (refusalText) throw new Error(refusalText);
      await orUserError(begin(minutes, readOneTimeCode(pin) !== null));
      log(messages.terminal.paused(minutes));
    },
    async resume() {
      if (!(await pause.resume())) return;
      await reportResumed();
      log(messages.terminal.resumed);
    },
    ask: (name) => orUserError(queueEvent({ kind: 'asked', name: name.slice(0, limits.name_max) })),
    lock,
    appointments: helping,
    checkMayLink: (typed) => mayLeave(typed, 'link'),
    checkMayRemove: (typed, peek) => mayLeave(typed, 'uninstall', peek),
    async checkMayUninstall(typed) {
      await mayLeave(typed, 'uninstall');
      await store.beginUninstall(readClock().wall);
    },
    async checkMayRestore(typed, program) {
      const refusalText = inForce.asksPin() && (await refusal(typed, 'allow', program));
      if (refusalText) throw new Error(refusalText);
    },
    async checkMayUndo(typed) {
      if (!lock.current()) return;
      const refusalText = await refusal(typed, 'link');
      if (refusalText) throw new Error(refusalText);
    },
    async allow({ identifier, name }, typed) {
      if (inForce.strict() || inForce.helpLeft() > 0 || inForce.policy?.emergency_stop) throw new Error(messages.lock.nothingAllowed);
      // The PIN never allowed a program here.
      const refusalText = readOneTimeCode(typed) === null ? messages.lock.codeNeeded : await refusal(typed, 'allow', identifier);
      if (refusalText) throw new Error(refusalText);
      const until = await orUserError(helping.beginByCode({ identifier, name }));
      await queueEvent({ kind: 'allowed', name: name.slice(0, limits.name_max), until: until.toISOString() });
      log(messages.terminal.allowedByCode(name));
    },
    async help() {
      // Pressed again within a minute: it is in force, and everyone knows.
      if (!inForce.identity || lock.helpLeft() > emergencyLimits.help_stop - 60_000) return;
      if (pause.left() > 0) await pause.resume().catch(notWritten('The end of the pause'));
      await helping.end('danger').catch(notWritten('The end of the help'));
      await lock.beginHelp(emergencyLimits.help_stop).catch(notWritten('The call for help'));
      await queueEvent({ kind: 'help' }).catch(notWritten('The call for help'));
      log(messages.terminal.help);
    },
    close() {
      helping.close();
      clearInterval(persisting);
      allowances.close();
      pause.close();
    },
  };
}
