import { type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from '../../../ui/error-boundary.tsx';

/** Holds the place of a lazily loaded part; a failure takes nothing else away. `height`: in px. */
export function LazyPart({ children, height = 320 }: { children: ReactNode; height?: number }) {
  return (
    <ErrorBoundary part>
      <Suspense fallback={<div className="skeleton" style={{ height }} />}>{children}</Suspense>
    </ErrorBoundary>
  );
}
