/** By then an email has usually gone out. */
const SOON_MS = 3000;
/** After that many quick check-ins the usual interval applies. */
const times = 10;

/** Shortens the check-in interval while the user waits to read who was notified. `asks`: the detections with an unknown answer. */
export function checkInInterval(asks: () => string[], otherwise: number) {
  let known = '';
  let left = 0;
  return {
    /** Whether a detection was not asked about yet. */
    isNew(): boolean {
      const now = asks().join();
      const isNew = now !== '' && now !== known;
      known = now || known;
      if (isNew) left = times;
      return isNew;
    },
    /** Milliseconds until the next check-in. */
    rest: () => (asks().length && left-- > 0 ? SOON_MS : otherwise),
  };
}
