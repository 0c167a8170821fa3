import { useEffect, useState } from 'react';

/** Something that is asked for again and again: when it last answered (ms; 0: not yet), and how often it is asked (ms). */
export interface Polled {
  at: number;
  poll: number;
}

/** Of when the news on the screen are. */
export interface Freshness {
  /** What they say is true for this moment: never later than the last answers allow. */
  moment: Date;
  /** Since when nothing was heard any more; null while all is well. */
  silent: Date | null;
}

/** So many answers may stay out. */
const missed = 3;
/** What a page that is looked at again has for its next answer, in ms. */
const patience = 15_000;

/** Whether the news are still news. A page that nobody looks at does not ask, so it misses nothing. */
export function useFreshness(now: Date, ...sources: Polled[]): Freshness {
  const at = Math.min(...sources.map((source) => source.at));
  const until = Math.min(...sources.map((source) => source.at + missed * source.poll));
  // The end that was reached, so that the next answer, which moves it, ends the silence at once.
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
