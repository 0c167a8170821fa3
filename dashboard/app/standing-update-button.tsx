import { useEffect, useState } from 'react';
import { updateMessage, watchVersion } from '../lib/newer-version.ts';

/** Says that there is a newer dashboard (2.22) on a page of its own, on which nobody navigates and which may stay open for days. */
export function StandingUpdateButton() {
  const [newer, setNewer] = useState(false);
  useEffect(() => watchVersion(setNewer), []);
  return <ReloadButton newer={newer} />;
}

/** There before it says anything, so that it is read out when it does. */
export function ReloadButton({ newer }: { newer: boolean }) {
  return (
    <div role="status">
      {newer && (
        <button type="button" className="btn quiet" onClick={() => window.location.reload()}>
          {updateMessage}
        </button>
      )}
    </div>
  );
}
