/** The error reporting listens to these events (7.40). */

const name = 'porchlight:trouble';

export function reportHandledError(error: unknown): void {
  window.dispatchEvent(new CustomEvent(name, { detail: error }));
}

export function onHandledError(notify: (error: unknown) => void): void {
  window.addEventListener(name, (event) => notify((event as CustomEvent<unknown>).detail));
}
