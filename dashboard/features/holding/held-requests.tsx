import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { handleHeldRequests } from '../../lib/held-request.ts';
import type { HeldRequestDialog } from './held-request-dialog.tsx';
import { heldRequestQueue } from './held-request-queue.ts';

/**
 * Every form of a logged-in user gets the dialog through this component: `call` passes on a call that has to wait (P10.1). The dialog is
 * loaded with the first of them.
 */
export function HeldRequests() {
  const [queue] = useState(heldRequestQueue);
  const [Dialog, setDialog] = useState<typeof HeldRequestDialog | null>(null);
  const [announcement, setAnnouncement] = useState<string | null>(null);
  const waiting = useSyncExternalStore(queue.subscribe, queue.first, queue.first);
  const { pathname } = useLocation();
  useEffect(() => handleHeldRequests(queue.add), [queue]);
  // A request outlives the page that its call came from.
  useEffect(() => {
    if (pathname) return () => queue.leaveAll();
  }, [queue, pathname]);
  const needsDialog = waiting !== null && Dialog === null;
  useEffect(() => {
    if (!needsDialog) return;
    import('./held-request-dialog.tsx').then(
      (loaded) => {
        // The live region is on the page before its first text, so that the text is announced.
        setAnnouncement('');
        setDialog(() => loaded.HeldRequestDialog);
      },
      () => queue.leaveAll(),
    );
  }, [needsDialog, queue]);
  return (
    <>
      {Dialog && <Dialog queue={queue} waiting={waiting} onYes={setAnnouncement} />}
      {announcement !== null && (
        <p className="sr" role="status">
          {waiting ? '' : announcement}
        </p>
      )}
    </>
  );
}
