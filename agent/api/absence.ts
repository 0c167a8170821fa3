/** Shorter outages are not reported. */
const short = 2 * 60_000;

export interface Absence {
  heard(): void;
  /** The seconds offline for the next check-in; undefined when the server was reachable. */
  seconds(): number | undefined;
  /** The server has the value. */
  said(): void;
}

/**
 * How long this run of the agent could not reach the server, from its first answer on. `up`: milliseconds since the computer started, asleep or
 * awake, which nobody sets.
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
