import { lazy, Suspense } from 'react';
import { ErrorBoundary } from './error-boundary.tsx';
import type { QrProps } from './qr-picture.tsx';

const QrPicture = lazy(async () => ({ default: (await import('./qr-picture.tsx')).QrPicture }));

/** Loads the library only when a code is shown, with a square in its place meanwhile. */
export function Qr(props: QrProps) {
  return (
    <ErrorBoundary part>
      <Suspense fallback={<div className="qr" />}>
        <QrPicture {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}
