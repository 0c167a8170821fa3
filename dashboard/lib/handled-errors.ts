/** What went wrong and was said on the screen, so that it went no further. Whoever reports errors hears of it here (7.40). */

const name = 'porchlight:trouble';

export function reportHandledError(error: unknown): void {
  window.dispatchEvent(new CustomEvent(name, { detail: error }));
}

export function onHandledError(tell: (error: unknown) => void): void {
  window.addEventListener(name, (event) => tell((event as CustomEvent<unknown>).detail));
}
