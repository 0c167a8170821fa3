import type { ReactNode } from 'react';
import { errorWords } from '../lib/error-text.ts';

export interface Loadable<T> {
  data: T | undefined;
  error: unknown;
  refetch?: () => unknown;
}

/** The loading boundary (4.22): idle and loading keep the place with a skeleton, success shows the children, an error says what and offers to try again (8.7). */
export function Loading<T>({ of, height = 160, children }: { of: Loadable<T>; height?: number; children: (data: T) => ReactNode }) {
  if (of.data !== undefined) return children(of.data);
  if (of.error) {
    return (
      <div className="note bad stack" role="alert">
        <p>{errorWords(of.error)}</p>
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
