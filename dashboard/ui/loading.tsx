import type { ReactNode } from 'react';
import { errorMessage, isOffline } from '../lib/error-text.ts';

export interface Loadable<T> {
  data: T | undefined;
  error: unknown;
  refetch?: () => unknown;
}

interface LoadingProps<T> {
  of: Loadable<T>;
  height?: number;
  /** For a page that is otherwise empty while loading; the error then also suggests what to do. */
  heading?: string | undefined;
  /** Shows the loaded data; omitted if there is nothing to show. */
  children?: (data: T) => ReactNode;
}

const messages = {
  offlineHelp: "Check that you're online. Computers that are protected stay protected.",
  again: 'Try again',
  loading: 'Loading',
};

/** The loading boundary (4.22): a skeleton while idle or loading, the children on success, an error with a retry (8.7). */
export function Loading<T>({ of, height = 160, heading, children }: LoadingProps<T>) {
  if (of.data !== undefined) return children?.(of.data);
  if (of.error) {
    return (
      <div className="note bad stack" role="alert">
        {heading && <h1>{heading}</h1>}
        <p>{errorMessage(of.error)}</p>
        {heading && isOffline(of.error) && <p>{messages.offlineHelp}</p>}
        {of.refetch && (
          <button type="button" className="btn quiet" onClick={() => of.refetch?.()}>
            {messages.again}
          </button>
        )}
      </div>
    );
  }
  return (
    <div className="skeleton" style={{ height }}>
      <span className="sr" role="status">
        {messages.loading}
      </span>
    </div>
  );
}
