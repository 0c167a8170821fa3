/** Whether there is a newer dashboard (2.28, 7.38). Small, and by itself: the legal pages load nothing else. */

export const updateMessage = 'New version available, click to update!';

/** How often a page on which nobody navigates looks again, in milliseconds. */
const hour = 3_600_000;

/** Throws when it cannot be looked up. */
export async function newerVersion(): Promise<boolean> {
  const answer = await fetch(`/dashboard/app_version.json?t=${Date.now()}`, { headers: { accept: 'application/json' } });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  return isOther(await answer.json());
}

/** 8.17 */
export function logFailedVersionCheck(err: unknown): void {
  console.warn('The version could not be looked up.', err);
}

/** For a page that stays open: looks at once, each hour, and when the page is seen again. Answers how to stop. */
export function watchVersion(tell: (newer: boolean) => void): () => void {
  let open = true;
  const look = () => {
    newerVersion()
      .then((newer) => open && tell(newer))
      .catch(logFailedVersionCheck);
  };
  const seen = () => document.visibilityState === 'visible' && look();
  const timer = window.setInterval(look, hour);
  document.addEventListener('visibilitychange', seen);
  look();
  return () => {
    open = false;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', seen);
  };
}

/** 3.19. What is no version file says nothing about versions. */
function isOther(file: unknown): boolean {
  const { v } = (file ?? {}) as { v?: unknown };
  return typeof v === 'string' && v !== '' && v !== __VERSION__;
}
