import { useEffect, useRef } from 'react';
import type { Reporter } from '../../integrations/error-reporting.ts';
import { config } from '../../lib/config.ts';
import { place } from './location.ts';

/** Loads the library only when needed: it is as large as the rest of the dashboard. */
export function useErrorReporting(wanted: boolean): void {
  const dsn = config.error_reporting?.dsn;
  const reporter = useRef<Reporter>(null);
  const unwanted = useRef(false);
  useEffect(() => {
    if (!wanted) unwanted.current = true;
    if (!wanted || !dsn) return;
    let over = false;
    // With earlier consent, errors count from the opening of the page.
    const since = unwanted.current ? Date.now() : 0;
    const start = async () => {
      const { reportErrors } = await import('../../integrations/error-reporting.ts');
      if (over) return;
      if (reporter.current) reporter.current.resume(since);
      else reporter.current = reportErrors(dsn, place, since);
    };
    start().catch((err: unknown) => console.warn('The reporting of errors could not be loaded.', err));
    return () => {
      over = true;
      reporter.current?.stop();
    };
  }, [wanted, dsn]);
}
