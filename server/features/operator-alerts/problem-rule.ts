/** What a check has read. `unknown`: it could not find out, so nothing changes. `since`: from when on, where that is known. `detail`: for the operator. */
import { minute } from '@porchlight/contract/time.ts';
export type Reading = { state: 'good' } | { state: 'unknown' } | { state: 'bad'; detail: string; since?: Date };

export const good: Reading = { state: 'good' };
export const unknown: Reading = { state: 'unknown' };
export const bad = (detail: string, since?: Date): Reading => ({ state: 'bad', detail, ...(since ? { since } : {}) });

/**
 * `read`: the newest bad reading, or up to an hour earlier. `reader`: the server that read it. `notified`: null while the operator was not
 * notified of it.
 */
export interface Problem {
  since: Date;
  notified: Date | null;
  good_since: Date | null;
  detail: string;
  read: Date;
  reader: string;
}

export type Step =
  | { do: 'nothing' }
  /** Also what was never notified leaves no trace. */
  | { do: 'forget' }
  | { do: 'store'; problem: Problem }
  /** Both notify the operator, once. */
  | { do: 'begin'; problem: Problem }
  | { do: 'end'; problem: Problem };

const nothing: Step = { do: 'nothing' };

/** In milliseconds: how long a problem, and its absence, must last before the operator is notified, so that a problem that comes and goes causes no flood. */
const lasting_ms = 2 * minute;
/** Two readings of a problem are seconds apart. After a longer gap, such as a stop of the server, nobody knows what was in between. */
const gap_max = 5 * minute;
/** How often the newest reading of a problem that is known is written down. */
const read_every = 60 * minute;

/** In milliseconds: a server that has not read its own problem for so long has left the service. Longer than `read_every`. */
const reader_gone_after = 120 * minute;

export interface Reader {
  name: string;
  /** What is good for this server may be bad for another one, so only who read the problem reads its end. */
  reads_own?: boolean;
  /** How long a problem lasts before it counts, in milliseconds. */
  must_last?: number;
}

/** The next step for one problem. */
export function nextStep(reading: Reading, problem: Problem | undefined, now: Date, reader: Reader): Step {
  if (reading.state === 'unknown') return nothing;
  if (reading.state === 'bad') return afterBad(reading, problem, now, reader);
  const isOthers = reader.reads_own && problem && problem.reader !== reader.name && age(problem.read, now) <= reader_gone_after;
  return isOthers ? nothing : afterGood(problem, now);
}

const age = (time: Date, now: Date) => now.getTime() - time.getTime();

function afterBad(
  { detail, since: known }: Reading & { state: 'bad' },
  problem: Problem | undefined,
  now: Date,
  { name: reader, must_last = lasting_ms }: Reader,
): Step {
  if (problem?.notified) {
    const changed = problem.good_since !== null || age(problem.read, now) >= read_every;
    return changed ? { do: 'store', problem: { ...problem, good_since: null, detail, read: now, reader } } : nothing;
  }
  const isContinued = problem !== undefined && age(problem.read, now) <= gap_max;
  const since = known ?? (isContinued ? problem.since : now);
  const current: Problem = { since, notified: null, good_since: null, detail, read: now, reader };
  return age(since, now) >= must_last ? { do: 'begin', problem: { ...current, notified: now } } : { do: 'store', problem: current };
}

function afterGood(problem: Problem | undefined, now: Date): Step {
  if (!problem) return nothing;
  if (!problem.notified) return { do: 'forget' };
  if (!problem.good_since) return { do: 'store', problem: { ...problem, good_since: now } };
  return age(problem.good_since, now) >= lasting_ms ? { do: 'end', problem } : nothing;
}
