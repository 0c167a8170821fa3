/** A page elsewhere that has not come by then does not come: whoever stopped it, or lost the connection, can press again. In milliseconds. */
const patience = 10_000;

/** The browser goes to another site. Resolves only for whoever is still, or again, on this very page: the back button shows it as it was left. */
export function redirectTo(url: string): Promise<void> {
  return new Promise((resolve) => {
    window.addEventListener('pageshow', () => resolve(), { once: true });
    window.setTimeout(resolve, patience);
    window.location.assign(url);
  });
}
