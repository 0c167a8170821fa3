import { type ReactNode, Suspense } from 'react';
import { ErrorBoundary } from '../../../ui/error-boundary.tsx';

export function LazyPart({ children, height = 320 }: { children: ReactNode; height?: number }) {
  return (
    <ErrorBoundary part>
      <Suspense fallback={<div className="skeleton" style={{ height }} />}>{children}</Suspense>
    </ErrorBoundary>
  );
}
