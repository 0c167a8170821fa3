import { useEffect, useState } from 'react';

/** A polled source: its last answer (ms; 0: none yet) and its interval (ms). */
export interface Polled {
  at: number;
  poll: number;
}

export interface Freshness {
  /** When the data was last known to be current. */
  moment: Date;
  /** Since when no answer arrived; null while answers arrive. */
  silent: Date | null;
}

const maxMissedPolls = 3;
/** The time for the next answer after a page becomes visible again, in ms. */
const ANSWER_TIMEOUT_MS = 15_000;

/** A hidden page does not poll, so it misses nothing. */
export function useFreshness(now: Date, ...sources: Polled[]): Freshness {
  const oldestAnswer = Math.min(...sources.map((source) => source.at));
  const deadline = Math.min(...sources.map((source) => source.at + maxMissedPolls * source.poll));
  // The deadline that passed. A new response moves `deadline`, which ends staleness without another render.
  const [reachedDeadline, setReachedDeadline] = useState<number | null>(null);
  const silent = reachedDeadline === deadline;
  useEffect(() => {
    if (oldestAnswer === 0 || oldestAnswer === Number.POSITIVE_INFINITY) return;
    let timer: number | undefined;
    const startTimer = (ms: number) => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible') timer = window.setTimeout(() => setReachedDeadline(deadline), ms);
    };
    const onVisible = () => startTimer(Math.max(deadline - Date.now(), ANSWER_TIMEOUT_MS));
    startTimer(deadline - Date.now());
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [oldestAnswer, deadline]);
  return { moment: new Date(silent ? oldestAnswer : Math.min(now.getTime(), deadline)), silent: silent ? new Date(oldestAnswer) : null };
}
