import type { InstallerPlatform } from '@porchlight/contract/downloads.ts';
import { useCallback, useEffect, useState } from 'react';
import { call } from '../../lib/call.ts';
import type { Loadable } from '../../ui/loading.tsx';

/** For which systems the operator has an installer. Without the query library, which the share page does not load. */
export function useInstallers(): Loadable<InstallerPlatform[]> {
  const [result, setResult] = useState<Omit<Loadable<InstallerPlatform[]>, 'refetch'>>({ data: undefined, error: null });
  const refetch = useCallback(() => {
    setResult({ data: undefined, error: null });
    call('GET /downloads').then(
      ({ items }) => setResult({ data: items.map(({ platform }) => platform), error: null }),
      (error: unknown) => setResult({ data: undefined, error }),
    );
  }, []);
  useEffect(refetch, [refetch]);
  return { ...result, refetch };
}
