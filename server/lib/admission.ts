import type { Queued, Room } from '../db/traffic.ts';

/** What a call is for, as far as it is seen before the call is read. `page`: pages and their files, which ask the database nothing. */
export type CallKind = Queued | 'page';

/** A call, by the message that the HTTP server made of it. `complete`: all of its body is here. */
export interface Call {
  readonly complete: boolean;
}

export interface Admission {
  /** Lets a call in, and answers null; or refuses it, and answers after how many seconds it may come back. */
  admit(call: Call, kind: CallKind): number | null;
  /** The call is answered, or waits for something that happens rarely: it takes no place any more. */
  leave(call: Call): void;
  /** What it waited for has happened: it takes a place again, whether there is one or not. */
  rejoin(call: Call): void;
}

export interface AdmissionOptions {
  /** Milliseconds of a clock that nobody sets. */
  now: () => number;
  /** From 0 to below 1. */
  random: () => number;
  /** How late the event loop is, in milliseconds. */
  lag: () => number;
  /** Has it been late for seconds? Then only urgent calls and enrolments are let in. */
  isOverloaded: () => boolean;
  /** How much fits in front of the database, and for how long the first one there waits. */
  roomOf: (kind: Queued) => Room;
  waitedFor: (kind: Queued) => number;
}

/** In milliseconds: so often at most a limit changes. */
const adjusted_every = 100;
/** In milliseconds: who waits for longer, for a connection or for the event loop, waits because too many were let in. With the work itself it is below a second. */
const wait_aimed = 150;
/** However slow this computer is for a moment, so many are let in at a time. */
const least_at_once = 16;
/** Of pages, which wait for the event loop alone. */
const pages_at_once = 500;
/** In milliseconds: a call that has not sent its body by then waits for its sender, and one that is still not answered by `longest_work` for somebody else. */
const longest_body = 1_000;
const longest_work = 5_000;
/** In milliseconds: what was refused this long ago counts for a third when it is said when to come back. */
const remembered = 10_000;
/** How much of the measured rate is new each time: the first two seconds of a herd, in which connections are made, say little. */
const rate_learned = 0.02;
/** In seconds: who is refused comes back after `least` at the earliest, and the later the more wait, up to `most`. */
const returns: Record<CallKind, { least: number; most: number }> = {
  agent: { least: 5, most: 60 },
  web: { least: 2, most: 10 },
  guardian: { least: 2, most: 10 },
  page: { least: 2, most: 10 },
  enrol: { least: 2, most: 10 },
  urgent: { least: 1, most: 2 },
};

interface Line {
  kind: CallKind;
  /** So many calls may be under way at a time. */
  limit: number;
  least: number;
  most: number;
  adjusted: number;
  /** Was somebody refused since it was adjusted? */
  was_full: boolean;
  /** Since when, in the order in which they came. */
  under_way: Map<Call, number>;
  /** Of the last seconds, the older the less. */
  refused: number;
  /** Since the limit was adjusted. */
  served: number;
  /** How many are served in a second while as many are let in as fit. */
  rate: number;
}

/**
 * Decides about a call before anything else is done with it, by counting: so many calls of each kind are under way at a time as are answered within
 * about a second. The limits follow what is measured: while calls wait for too long they shrink, and while somebody is refused and nobody waits they grow.
 */
export function newAdmission({ now, random, lag, isOverloaded, roomOf, waitedFor }: AdmissionOptions): Admission {
  const line = (kind: CallKind): Line => {
    const { connections, waiting } = kind === 'page' ? { connections: 1, waiting: pages_at_once } : roomOf(kind);
    const most = connections + waiting;
    const least = kind === 'urgent' ? most : Math.min(most, Math.max(least_at_once, connections));
    return { kind, limit: most, least, most, adjusted: now(), was_full: false, under_way: new Map(), refused: 0, served: 0, rate: most };
  };
  const lines: Record<CallKind, Line> = {
    agent: line('agent'),
    web: line('web'),
    guardian: line('guardian'),
    page: line('page'),
    enrol: line('enrol'),
    urgent: line('urgent'),
  };
  const lineOf = new WeakMap<Call, Line>();

  const adjust = (line: Line, time: number) => {
    const since = time - line.adjusted;
    if (since < adjusted_every) return;
    for (const [call, began] of line.under_way) {
      if (time - began < longest_body) break;
      if (!call.complete || time - began >= longest_work) line.under_way.delete(call);
    }
    const waited = Math.max(lag(), line.kind === 'page' ? 0 : waitedFor(line.kind));
    // From what is under way, not from a limit that nobody reached.
    if (waited > wait_aimed) line.limit = Math.max(line.least, Math.min(line.limit, Math.floor(line.under_way.size * 0.8)));
    else if (line.was_full && waited < wait_aimed / 2) line.limit = Math.min(line.most, line.limit + Math.ceil(line.limit / 20));
    if (line.was_full) line.rate += ((line.served / since) * 1_000 - line.rate) * rate_learned;
    line.refused *= Math.exp(-since / remembered);
    line.served = 0;
    line.was_full = false;
    line.adjusted = time;
  };
  /** As long as it takes to serve all that were refused lately, and each at a moment of its own. */
  const refuse = (line: Line): number => {
    const { least, most } = returns[line.kind];
    line.was_full = true;
    line.refused += 1;
    // Our agents come after once to twice what they are told (`back-off.ts`).
    const seconds = line.refused / Math.max(1, line.rate) / 2;
    return Math.round(least + random() * Math.min(most - least, seconds));
  };

  return {
    admit(call, kind) {
      const line = lines[kind];
      const time = now();
      adjust(line, time);
      if (line.under_way.size >= line.limit || (kind !== 'urgent' && kind !== 'enrol' && isOverloaded())) return refuse(line);
      line.under_way.set(call, time);
      lineOf.set(call, line);
      return null;
    },
    leave(call) {
      const line = lineOf.get(call);
      if (line?.under_way.delete(call)) line.served += 1;
    },
    rejoin(call) {
      lineOf.get(call)?.under_way.set(call, now());
    },
  };
}
