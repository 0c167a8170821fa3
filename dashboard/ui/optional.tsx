import { type ComponentType, lazy, Suspense } from 'react';
import { ErrorBoundary } from './error-boundary.tsx';

/** A part that comes by itself, and that nobody misses before it is there or when it does not come. */
export function optional<P extends object>(from: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Part = lazy(async () => ({ default: await from() })) as unknown as ComponentType<P>;
  return (props) => (
    <ErrorBoundary quiet>
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}
