/** After this many milliseconds the user can press again. */
const REDIRECT_TIMEOUT_MS = 10_000;

/** Resolves only if this page is still, or again, visible: the back button restores it as it was. */
export function redirectTo(url: string): Promise<void> {
  return new Promise((resolve) => {
    window.addEventListener('pageshow', () => resolve(), { once: true });
    window.setTimeout(resolve, REDIRECT_TIMEOUT_MS);
    window.location.assign(url);
  });
}
