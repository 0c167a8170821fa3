const SOON_MS = 3000;
const QUICK_CHECK_INS = 10;

/** Shortens the check-in interval while the user waits to read who was notified. */
export function checkInInterval(unansweredDetections: () => string[], usualMs: number) {
  let lastUnanswered = '';
  let quickCheckInsLeft = 0;
  return {
    isNew(): boolean {
      const unanswered = unansweredDetections().join();
      const isNew = unanswered !== '' && unanswered !== lastUnanswered;
      lastUnanswered = unanswered || lastUnanswered;
      if (isNew) quickCheckInsLeft = QUICK_CHECK_INS;
      return isNew;
    },
    nextWait: () => (unansweredDetections().length && quickCheckInsLeft-- > 0 ? SOON_MS : usualMs),
  };
}
