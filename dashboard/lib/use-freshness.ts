import { useEffect, useState } from 'react';

/** A polled source: its last answer (ms; 0: none yet) and its interval (ms). */
export interface Polled {
  at: number;
  poll: number;
}

/** How old the data on the screen are. */
export interface Freshness {
  /** What they say is true for this moment: never later than the last answers allow. */
  moment: Date;
  /** Since when no answer arrived; null while answers arrive. */
  silent: Date | null;
}

/** The number of polls that may be missed. */
const missed = 3;
/** The time for the next answer after a page becomes visible again, in ms. */
const patience = 15_000;

/** Whether the data are still current. A hidden page does not poll, so it misses nothing. */
export function useFreshness(now: Date, ...sources: Polled[]): Freshness {
  const at = Math.min(...sources.map((source) => source.at));
  const until = Math.min(...sources.map((source) => source.at + missed * source.poll));
  // The deadline that passed. A new response moves `until`, which ends staleness without another render.
  const [reached, setReached] = useState<number | null>(null);
  const silent = reached === until;
  useEffect(() => {
    if (at === 0 || at === Number.POSITIVE_INFINITY) return;
    let timer: number | undefined;
    const wait = (ms: number) => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible') timer = window.setTimeout(() => setReached(until), ms);
    };
    const onVisible = () => wait(Math.max(until - Date.now(), patience));
    wait(until - Date.now());
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [at, until]);
  return { moment: new Date(silent ? at : Math.min(now.getTime(), until)), silent: silent ? new Date(at) : null };
}
