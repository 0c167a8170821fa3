/** In milliseconds: by then an email has gone out, mostly. */
const SOON_MS = 3000;
/** So many times it asks soon; whoever was not reached by then is asked for at each check-in. */
const times = 10;

/** How soon our server is asked who was told of something: the person at the computer waits to read it. `asks`: what is not known yet. */
export function checkInInterval(asks: () => string[], otherwise: number) {
  let known = '';
  let left = 0;
  return {
    /** There is something that it was not asked for yet. */
    isNew(): boolean {
      const now = asks().join();
      const isNew = now !== '' && now !== known;
      known = now || known;
      if (isNew) left = times;
      return isNew;
    },
    /** Until it is asked again, in milliseconds. */
    rest: () => (asks().length && left-- > 0 ? SOON_MS : otherwise),
  };
}
