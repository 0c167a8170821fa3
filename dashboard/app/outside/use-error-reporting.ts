import { useEffect } from 'react';
import { config } from '../../lib/config.ts';
import { place } from './place.ts';

/** Loads the reporting of errors, which weighs as much as the rest of the dashboard, once it is wanted. */
export function useErrorReporting(wanted: boolean): void {
  const dsn = config.error_reporting?.dsn;
  useEffect(() => {
    if (!wanted || !dsn) return;
    let stop: (() => void) | null = null;
    let over = false;
    import('../../outside/error-reporting.ts').then(
      ({ reportErrors }) => {
        if (!over) stop = reportErrors(dsn, place);
      },
      (err: unknown) => console.warn('The reporting of errors could not be loaded.', err),
    );
    return () => {
      over = true;
      stop?.();
    };
  }, [wanted, dsn]);
}
