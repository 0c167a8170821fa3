import type { QueuedTraffic, Room } from '../db/traffic.ts';

/** `page`: pages and their files, which need no database. */
export type CallKind = QueuedTraffic | 'page';

/** A call, identified by its HTTP message. `complete`: its whole body has arrived. */
export interface Call {
  readonly complete: boolean;
}

export interface Admission {
  /** Null if admitted; otherwise after how many seconds to retry. */
  admit(call: Call, kind: CallKind): number | null;
  /** An answered call, or a waiting long poll, no longer counts. */
  leave(call: Call): void;
}

export interface AdmissionOptions {
  now: () => number;
  random: () => number;
  lag: () => number;
  /** The event loop has lagged for seconds: only urgent calls and enrolments are admitted. */
  isOverloaded: () => boolean;
  roomOf: (kind: QueuedTraffic) => Room;
  waitedFor: (kind: QueuedTraffic) => number;
}

const adjust_interval = 100;
/** In milliseconds: a longer wait means too many calls. With the work the total is below a second. */
const target_wait = 150;
/** The minimum limit, even on a computer that is slow for a moment. */
const limit_min = 16;
/** Calls for pages wait only for the event loop. */
const pages_max = 500;
/** In milliseconds: a longer call waits for its body, or for another service, and stops counting. */
const body_wait_max = 1_000;
const work_max = 5_000;
/** In milliseconds: after this time a refusal counts for a third in the retry time. */
const refusal_decay = 10_000;
/** Low, because the first seconds of a rush, in which connections are opened, are not typical. */
const rate_weight = 0.02;
/** In seconds: retry times of refused calls grow with their number. */
const retryTimes: Record<CallKind, { least: number; most: number }> = {
  agent: { least: 5, most: 60 },
  web: { least: 2, most: 10 },
  guardian: { least: 2, most: 10 },
  page: { least: 2, most: 10 },
  enrol: { least: 2, most: 10 },
  urgent: { least: 1, most: 2 },
};

interface KindState {
  kind: CallKind;
  limit: number;
  least: number;
  most: number;
  adjusted: number;
  was_full: boolean;
  under_way: Map<Call, number>;
  /** Recent refusals, with exponential decay. */
  refused: number;
  served: number;
  /** Calls served per second under full load. */
  rate: number;
}

/**
 * Admits or refuses a call before it is read. A limit of concurrent calls shrinks while calls wait too long, and grows while calls are
 * refused and none waits.
 */
export function newAdmission({ now, random, lag, isOverloaded, roomOf, waitedFor }: AdmissionOptions): Admission {
  const newState = (kind: CallKind): KindState => {
    const { connections, waiting } = kind === 'page' ? { connections: 1, waiting: pages_max } : roomOf(kind);
    const limitMax = connections + waiting;
    const limitMin = kind === 'urgent' ? limitMax : Math.min(limitMax, Math.max(limit_min, connections));
    return {
      kind,
      limit: limitMax,
      least: limitMin,
      most: limitMax,
      adjusted: now(),
      was_full: false,
      under_way: new Map(),
      refused: 0,
      served: 0,
      rate: limitMax,
    };
  };
  const states: Record<CallKind, KindState> = {
    agent: newState('agent'),
    web: newState('web'),
    guardian: newState('guardian'),
    page: newState('page'),
    enrol: newState('enrol'),
    urgent: newState('urgent'),
  };
  const stateOf = new WeakMap<Call, KindState>();

  const adjust = (state: KindState, time: number) => {
    const since = time - state.adjusted;
    if (since < adjust_interval) return;
    for (const [call, start] of state.under_way) {
      if (time - start < body_wait_max) break;
      if (!call.complete || time - start >= work_max) state.under_way.delete(call);
    }
    const waitMs = Math.max(lag(), state.kind === 'page' ? 0 : waitedFor(state.kind));
    // From the number of actual calls, not from a limit that was not reached.
    if (waitMs > target_wait) state.limit = Math.max(state.least, Math.min(state.limit, Math.floor(state.under_way.size * 0.8)));
    else if (state.was_full && waitMs < target_wait / 2) state.limit = Math.min(state.most, state.limit + Math.ceil(state.limit / 20));
    if (state.was_full) state.rate += ((state.served / since) * 1_000 - state.rate) * rate_weight;
    state.refused *= Math.exp(-since / refusal_decay);
    state.served = 0;
    state.was_full = false;
    state.adjusted = time;
  };
  /** The time to serve all recent refusals, randomized. */
  const refuse = (state: KindState): number => {
    const { least, most } = retryTimes[state.kind];
    state.was_full = true;
    state.refused += 1;
    // The agents wait once to twice the given time (`back-off.ts`).
    const seconds = state.refused / Math.max(1, state.rate) / 2;
    return Math.round(least + random() * Math.min(most - least, seconds));
  };

  return {
    admit(call, kind) {
      const state = states[kind];
      const time = now();
      adjust(state, time);
      if (state.under_way.size >= state.limit || (kind !== 'urgent' && kind !== 'enrol' && isOverloaded())) return refuse(state);
      state.under_way.set(call, time);
      stateOf.set(call, state);
      return null;
    },
    leave(call) {
      const state = stateOf.get(call);
      if (state?.under_way.delete(call)) state.served += 1;
    },
  };
}
