import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { request } from '../lib/http.ts';
import { t } from './texts.ts';

/** Looks on each navigation whether there is a newer dashboard (2.28, 7.38); the button reloads the page. */
export function UpdateButton() {
  const { pathname } = useLocation();
  const [newer, setNewer] = useState(false);
  useEffect(() => {
    let current = true;
    request('GET', `/dashboard/app_version.json?t=${Date.now()}`, undefined, {})
      .then((file) => current && setNewer((file as { v: string }).v !== __VERSION__))
      .catch((err: unknown) => console.warn('The version could not be looked up.', err));
    return () => {
      current = false;
    };
  }, [pathname]);
  return newer ? (
    <button type="button" className="btn quiet" onClick={() => window.location.reload()}>
      {t.update}
    </button>
  ) : null;
}
