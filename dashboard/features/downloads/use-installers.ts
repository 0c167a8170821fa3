import type { InstallerPlatform } from '@porchlight/contract/downloads.ts';
import { useEffect, useState } from 'react';
import { call } from '../../lib/call.ts';
import type { Loadable } from '../../ui/loading.tsx';

type Result = Omit<Loadable<InstallerPlatform[]>, 'refetch'>;
const nothingYet: Result = { data: undefined, error: null };

/** Avoids the query library, which the share page does not load. */
export function useInstallers(): Loadable<InstallerPlatform[]> {
  const [result, setResult] = useState(nothingYet);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    call('GET /downloads').then(
      ({ items }) => setResult({ data: items.map(({ platform }) => platform), error: null }),
      (error: unknown) => setResult({ data: undefined, error }),
    );
  }, [attempt]);
  const refetch = () => setAttempt(attempt + 1);
  return { ...result, refetch };
}
