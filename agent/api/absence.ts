/** Shorter absences are nothing to speak of. Milliseconds. */
const short = 2 * 60_000;

export interface Absence {
  /** The server has answered. */
  heard(): void;
  /** For how many seconds it could not be reached, for the next check-in; undefined where it could. */
  seconds(): number | undefined;
  /** The server knows. */
  said(): void;
}

/**
 * How long the server could not be reached by this very run of the agent, from its first answer on: what was before that this run does not know. `up`:
 * milliseconds since the computer started, asleep or awake, which nobody sets.
 */
export function absence(up: () => number): Absence {
  let last: number | null = null;
  let longest = 0;
  const gap = () => (last === null ? 0 : up() - last);
  return {
    heard() {
      longest = Math.max(longest, gap());
      last = up();
    },
    seconds() {
      const away = Math.max(longest, gap());
      return away < short ? undefined : Math.round(away / 1000);
    },
    said() {
      longest = 0;
      last = up();
    },
  };
}
