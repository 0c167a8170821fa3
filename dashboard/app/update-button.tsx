import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { t } from './texts.ts';

/** Looks on each navigation whether there is a newer dashboard (2.28, 7.38); the button reloads the page. */
export function UpdateButton() {
  const { pathname } = useLocation();
  const [newer, setNewer] = useState(false);
  useEffect(() => {
    let current = true;
    fetch(`/dashboard/app_version.json?t=${Date.now()}`)
      .then((answer) => answer.json() as Promise<{ v: string }>)
      .then(({ v }) => current && setNewer(v !== __VERSION__))
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
