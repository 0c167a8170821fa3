import { useEffect, useState } from 'react';
import { updateWords, watchVersion } from '../lib/newer-version.ts';

/** For a page that may stay open for days without a navigation (2.22). */
export function StandingUpdateButton() {
  const [newer, setNewer] = useState(false);
  useEffect(() => watchVersion(setNewer), []);
  return <ReloadButton newer={newer} />;
}

/** The live region exists before its text, so screen readers announce it. */
export function ReloadButton({ newer }: { newer: boolean }) {
  return (
    <div role="status">
      {newer && (
        <button type="button" className="btn quiet" onClick={() => window.location.reload()}>
          {updateWords}
        </button>
      )}
    </div>
  );
}
