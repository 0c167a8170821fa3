import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { logFailedVersionCheck, newerVersion } from '../lib/newer-version.ts';
import { ReloadButton } from './standing-update-button.tsx';

/** Checks the version at each navigation (2.28, 7.38). */
export function UpdateButton() {
  const { key } = useLocation();
  const [newer, setNewer] = useState(false);
  useEffect(() => {
    let current = true;
    newerVersion()
      .then((is) => current && setNewer(is))
      .catch(logFailedVersionCheck);
    return () => {
      current = false;
    };
  }, [key]);
  return <ReloadButton newer={newer} />;
}
