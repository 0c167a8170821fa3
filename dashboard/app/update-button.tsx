import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { request } from '../lib/http.ts';
import { t } from './texts.ts';

/** Looks on each navigation whether there is a newer dashboard (2.28, 7.38); the button reloads the page. */
export function UpdateButton() {
  const { key } = useLocation();
  const [newer, setNewer] = useState(false);
  useEffect(() => {
    let current = true;
    request('GET', `/dashboard/app_version.json?t=${Date.now()}`, undefined, {})
      .then(({ body }) => current && setNewer(isOther(body)))
      .catch((err: unknown) => console.warn('The version could not be looked up.', err));
    return () => {
      current = false;
    };
  }, [key]);
  return (
    <div role="status">
      {newer && (
        <button type="button" className="btn quiet" onClick={() => window.location.reload()}>
          {t.update}
        </button>
      )}
    </div>
  );
}

/** 3.19. What is no version file says nothing about versions. */
function isOther(file: unknown): boolean {
  const { v } = (file ?? {}) as { v?: unknown };
  return typeof v === 'string' && v !== '' && v !== __VERSION__;
}
