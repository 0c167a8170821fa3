/** What a check has read. `unknown`: it could not find out, so nothing changes. `since`: from when on, where that is known. `detail`: for the operator. */
export type Reading = { state: 'good' } | { state: 'unknown' } | { state: 'bad'; detail: string; since?: Date };

export const good: Reading = { state: 'good' };
export const unknown: Reading = { state: 'unknown' };
export const bad = (detail: string, since?: Date): Reading => ({ state: 'bad', detail, ...(since ? { since } : {}) });

/** `read`: the newest bad reading, or up to an hour earlier. `notified`: null while the operator was not notified of it. */
export interface Problem {
  since: Date;
  notified: Date | null;
  good_since: Date | null;
  detail: string;
  read: Date;
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
const minute = 60_000;

/** In milliseconds: how long a problem, and its absence, must last before the operator is notified, so that a problem that comes and goes causes no flood. */
const lasting_ms = 2 * minute;
/** Two readings of a problem are seconds apart. After a longer gap, such as a stop of the server, nobody knows what was in between. */
const gap_max = 5 * minute;
/** How often the newest reading of a problem that is known is written down. */
const read_every = 60 * minute;

/** The next step for one problem. `must_last`: of its begin, in milliseconds. */
export function nextStep(reading: Reading, problem: Problem | undefined, now: Date, must_last = lasting_ms): Step {
  if (reading.state === 'unknown') return nothing;
  return reading.state === 'bad' ? afterBad(reading, problem, now, must_last) : afterGood(problem, now);
}

const age = (time: Date, now: Date) => now.getTime() - time.getTime();

function afterBad({ detail, since: known }: Reading & { state: 'bad' }, problem: Problem | undefined, now: Date, must_last: number): Step {
  if (problem?.notified) {
    const changed = problem.good_since !== null || age(problem.read, now) >= read_every;
    return changed ? { do: 'store', problem: { ...problem, good_since: null, detail, read: now } } : nothing;
  }
  const isContinued = problem !== undefined && age(problem.read, now) <= gap_max;
  const since = known ?? (isContinued ? problem.since : now);
  const current: Problem = { since, notified: null, good_since: null, detail, read: now };
  return age(since, now) >= must_last ? { do: 'begin', problem: { ...current, notified: now } } : { do: 'store', problem: current };
}

function afterGood(problem: Problem | undefined, now: Date): Step {
  if (!problem) return nothing;
  if (!problem.notified) return { do: 'forget' };
  if (!problem.good_since) return { do: 'store', problem: { ...problem, good_since: now } };
  return age(problem.good_since, now) >= lasting_ms ? { do: 'end', problem } : nothing;
}
