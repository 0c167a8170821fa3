import type { ReactNode } from 'react';
import { errorMessage, isOffline } from '../lib/error-text.ts';

export interface Loadable<T> {
  data: T | undefined;
  error: unknown;
  refetch?: () => unknown;
}

interface LoadingParts<T> {
  of: Loadable<T>;
  height?: number;
  /** Of the page, where nothing else is on it while it does not load; then it also says what helps. */
  heading?: string | undefined;
  /** Left out where there is never anything to show yet. */
  children?: (data: T) => ReactNode;
}

const offlineHelp = "Check that you're online. Computers that are protected stay protected.";

/** The loading boundary (4.22): idle and loading keep the place with a skeleton, success shows the children, an error says what and offers to try again (8.7). */
export function Loading<T>({ of, height = 160, heading, children }: LoadingParts<T>) {
  if (of.data !== undefined) return children?.(of.data);
  if (of.error) {
    return (
      <div className="note bad stack" role="alert">
        {heading && <h1>{heading}</h1>}
        <p>{errorMessage(of.error)}</p>
        {heading && isOffline(of.error) && <p>{offlineHelp}</p>}
        {of.refetch && (
          <button type="button" className="btn quiet" onClick={() => of.refetch?.()}>
            Try again
          </button>
        )}
      </div>
    );
  }
  return (
    <div className="skeleton" style={{ height }}>
      <span className="sr" role="status">
        Loading
      </span>
    </div>
  );
}
