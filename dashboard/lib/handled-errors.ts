/** Errors that a screen already showed. Error reporting listens here (7.40). */

const name = 'porchlight:trouble';

export function reportHandledError(error: unknown): void {
  window.dispatchEvent(new CustomEvent(name, { detail: error }));
}

export function onHandledError(tell: (error: unknown) => void): void {
  window.addEventListener(name, (event) => tell((event as CustomEvent<unknown>).detail));
}
