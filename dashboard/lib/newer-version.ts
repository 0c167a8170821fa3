/** The version check (2.28, 7.38), small because the legal pages load nothing else. */
import { hour } from '@porchlight/contract/time.ts';

export const updateWords = 'New version available, click to update!';

/** Throws if the version check fails. */
export async function newerVersion(): Promise<boolean> {
  const answer = await fetch(`/dashboard/app_version.json?t=${Date.now()}`, { headers: { accept: 'application/json' } });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  return isNewerVersion(await answer.json());
}

/** Clause 8.17. */
export function logFailedVersionCheck(err: unknown): void {
  console.warn('The version could not be looked up.', err);
}

/** Also checks when the page becomes visible. Returns a function that stops the checks. */
export function watchVersion(notify: (newer: boolean) => void): () => void {
  let open = true;
  const checkVersion = () => {
    newerVersion()
      .then((newer) => open && notify(newer))
      .catch(logFailedVersionCheck);
  };
  const onVisible = () => document.visibilityState === 'visible' && checkVersion();
  const timer = window.setInterval(checkVersion, hour);
  document.addEventListener('visibilitychange', onVisible);
  checkVersion();
  return () => {
    open = false;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onVisible);
  };
}

/** 3.19. Ignores anything that is not a version file. */
function isNewerVersion(file: unknown): boolean {
  const { v } = (file ?? {}) as { v?: unknown };
  return typeof v === 'string' && v !== '' && v !== __VERSION__;
}
