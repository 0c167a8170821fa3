import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import { beginSpan, type ClockReading, leftOf, type Span, seenSpan } from '../lib/span.ts';
import type { DeviceLock } from '../ports.ts';
import { type LockState, unlocked } from '../state/lock-files.ts';
import type { Store } from '../state/store.ts';
import { decideLock, lockLimits } from './lock-rule.ts';

const PERSIST_MS = 60_000;
/** A program that starts again and again is not written down each time; a killed agent loses so much of the hour. */
const ENDS_PERSIST_MS = 10_000;
/** Between two polls that do not wait. */
const WORD_MS = 10_000;

export interface DeviceLockDeps {
  store: Pick<Store, 'lockState' | 'setLockState' | 'hasUnreported' | 'hasUnreportedEnd'>;
  readClock: () => ClockReading;
  device: () => string | null;
  policy: () => DevicePolicy | null;
  /** A local emergency stop began or ended. */
  changed: () => void;
  /** The server knows of everything here, and no incident is open any more. */
  over: () => void;
  notWritten: (why: unknown) => void;
}

/** The stored facts of the lock (P10.5). Only a word that the server signed after everything was reported ends it sooner. */
export async function deviceLock({ store, readClock, device, policy, changed, over, notWritten }: DeviceLockDeps): Promise<DeviceLock> {
  let state: Omit<LockState, 'device'> = unlocked;
  let stateDevice: string | null = null;
  let change = 0;
  let persistedAt = readClock().up;
  let wordWantedAt = Number.NEGATIVE_INFINITY;
  /** The version of the policy when a program was ended last, or of the newest with a lock; null without an incident. */
  let incidentAt = policy()?.lock ? (policy()?.version ?? 0) : null;
  const left = (span: Span | null) => (span ? leftOf(span, readClock(), 'latest') : 0);
  const begin = (length: number) => beginSpan(readClock(), length);

  /** The state of a device that was linked meanwhile is empty. */
  const ofDevice = () => {
    if (stateDevice !== device()) [state, stateDevice] = [unlocked, device()];
    return state;
  };
  const persist = async () => {
    if (stateDevice === null) return;
    const reading = readClock();
    persistedAt = reading.up;
    const seen = (span: Span | null) => (span && left(span) > 0 ? seenSpan(span, reading, 'latest') : null);
    const ended = state.ended && { last: seen(state.ended.last), all: seen(state.ended.all) };
    state = {
      ...state,
      // Without a word a stored lock would be endless; with an ended one it has lasted its time.
      word: state.word && seenSpan(state.word, reading, 'latest'),
      ended: ended?.last && ended.all ? { last: ended.last, all: ended.all } : null,
      lost: seen(state.lost),
      help: seen(state.help),
    };
    await store.setLockState({ ...state, device: stateDevice });
  };
  const set = async (next: Partial<typeof state>) => {
    change++;
    state = { ...ofDevice(), ...next };
    await persist();
  };
  const noteEnd = () => {
    const { ended } = ofDevice();
    // All ends together last a day at most, so a program that starts itself again and again does not lock for good.
    const all = ended?.all ?? begin(lockLimits.without_server);
    return { last: begin(lockLimits.after_end), all };
  };

  const load = async () => {
    const current = device();
    if (current === null) return;
    stateDevice = current;
    const stored = await store.lockState(current);
    if (stored === 'lost') return set({ lost: begin(lockLimits.without_server) });
    const known = stored ?? unlocked;
    state = { ...known, signed: Math.max(known.signed, Date.parse(policy()?.issued ?? '') || 0) };
    if (policy()?.lock && !state.word) state = { ...state, word: begin(lockLimits.without_server) };
    if (!state.ended && (await store.hasUnreportedEnd())) state = { ...state, ended: noteEnd() };
    if (state.ended || state.lost || state.help || policy()?.lock) await persist();
  };
  await load().catch(notWritten);

  return {
    current() {
      if (device() === null) return null;
      const { word, ended, lost } = ofDevice();
      return decideLock({
        policy: policy()?.lock ?? false,
        word_left: word ? left(word) : lockLimits.without_server,
        ended_left: left(ended?.last ?? null),
        all_ended_left: left(ended?.all ?? null),
        lost_left: left(lost),
      });
    },
    async programEnded() {
      if (device() === null) return;
      const isStored = ofDevice().ended !== null && Math.abs(readClock().up - persistedAt) < ENDS_PERSIST_MS;
      change++;
      incidentAt = policy()?.version ?? 0;
      state = { ...state, ended: noteEnd() };
      if (!isStored) await persist();
    },
    helpLeft: () => (device() === null ? 0 : left(ofDevice().help)),
    async beginHelp(length) {
      if (device() === null) return;
      const stored = set({ ended: noteEnd(), help: begin(length) });
      changed();
      await stored;
    },
    async beginRound() {
      const { ended, lost } = ofDevice();
      const atBegin = change;
      const settled = !(await store.hasUnreported());
      const isWanted = lost !== null || (ended !== null && settled);
      // A server whose words do not count, since its clock went back, is not asked in a busy loop.
      const needs_word = isWanted && Math.abs(readClock().up - wordWantedAt) >= WORD_MS;
      if (needs_word) wordWantedAt = readClock().up;
      return { change: atBegin, settled, wants_word: isWanted, needs_word };
    },
    async policyArrived({ issued, version, lock, emergency_stop }, mark) {
      const { signed, ended, lost, help } = ofDevice();
      const time = Date.parse(issued);
      // An earlier answer proves nothing, however often it is repeated.
      if (device() === null || time <= signed) return;
      const isSettled = mark.settled && mark.change === change;
      const helpEnds = help !== null && isSettled && !lock && !emergency_stop;
      const wasLocked = lock || lost !== null || (ended !== null && isSettled) || helpEnds;
      state = {
        ...state,
        ...{ signed: time, word: begin(lockLimits.without_server), lost: null },
        ...(isSettled ? { ended: null } : {}),
        ...(helpEnds ? { help: null } : {}),
      };
      if (helpEnds) changed();
      if (lock) incidentAt = version;
      // A newer policy, since an incident that opened and ended while the server was away never had its lock here.
      if (!lock && isSettled && incidentAt !== null && version > incidentAt) {
        incidentAt = null;
        over();
      }
      // An unlocked computer at rest writes nothing.
      const isDue = Math.abs(readClock().up - persistedAt) >= PERSIST_MS;
      if (wasLocked && (isDue || lost !== null || ended !== null || helpEnds)) await persist().catch(notWritten);
    },
    signed() {
      const { signed, word } = ofDevice();
      return { newest: signed, now: signed + (word ? lockLimits.without_server - left(word) : 0) };
    },
    async persistTimeLeft() {
      const { ended, lost, help } = ofDevice();
      if (!ended && !lost && !help && !policy()?.lock) return;
      if (Math.abs(readClock().up - persistedAt) >= PERSIST_MS) await persist();
    },
  };
}
