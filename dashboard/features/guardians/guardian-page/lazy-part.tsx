import { type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from '../../../ui/error-boundary.tsx';

/** Keeps the place of a part that comes later; one that does not come takes nothing else away. `height`: in px. */
export function LazyPart({ children, height = 320 }: { children: ReactNode; height?: number }) {
  return (
    <ErrorBoundary part>
      <Suspense fallback={<div className="skeleton" style={{ height }} />}>{children}</Suspense>
    </ErrorBoundary>
  );
}
