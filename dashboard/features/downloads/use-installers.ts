import { useEffect, useState } from 'react';
import { call } from '../../lib/call.ts';
import type { Loadable } from '../../ui/loading.tsx';
import { type Offer, pollMs } from './offer-rules.ts';

type Result = Omit<Loadable<Offer>, 'refetch'>;
const nothingYet: Result = { data: undefined, error: null };

/**
 * Asks again while the server has yet to build installers, so that they appear without a reload. Avoids the query library, which the share page does
 * not load.
 */
export function useInstallers(): Loadable<Offer> {
  const [result, setResult] = useState(nothingYet);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let timer: number | undefined;
    let closed = false;
    let shown = nothingYet;
    const load = async () => {
      const loaded = await loadOffer();
      if (closed) return;
      // An interrupted connection leaves what is shown, and the next poll brings the rest.
      if (loaded.data || !shown.data) shown = loaded;
      setResult(shown);
      const wait = shown.data ? pollMs(shown.data.build) : null;
      if (wait !== null) timer = window.setTimeout(() => void load(), wait);
    };
    void load();
    return () => {
      closed = true;
      clearTimeout(timer);
    };
  }, [attempt]);
  const refetch = () => setAttempt(attempt + 1);
  return { ...result, refetch };
}

async function loadOffer(): Promise<Result> {
  try {
    const { items, build, needs_makensis: needsMakensis } = await call('GET /downloads');
    return { data: { platforms: items.map(({ platform }) => platform), build, needsMakensis }, error: null };
  } catch (error) {
    return { data: undefined, error };
  }
}
