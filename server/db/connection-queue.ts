/** Thrown to whoever does not get a connection in time. `retry_after`: in seconds. */
export class NoConnection extends Error {
  readonly retry_after: number;

  constructor(retry_after: number) {
    super('no database connection was free in time');
    this.retry_after = retry_after;
  }
}

/** The share of the connections that one kind of traffic may take, and how many may wait for one. */
export interface LineOptions {
  connections: number;
  waiting: number;
  /** In seconds: when a refused caller may come back. */
  retry_after: number;
}

export interface ConnectionQueue<K extends string> {
  /**
   * Waits for one of the connections and answers how to give it back. `admitted`: the call has had a connection before, and goes before those that
   * have not, because work that is half done is lost when it is refused. Throws `NoConnection`: at once when too many wait or when they already wait for
   * too long, and otherwise after `wait_max` milliseconds.
   */
  enter(kind: K, admitted: boolean): Promise<() => void>;
  /** In milliseconds: for how long the first one of those waits that had no connection yet. */
  waited(kind: K): number;
}

/** In milliseconds. What is admitted is answered within about a second, because nothing that is new waits for longer than this. */
const wait_max = 600;
/** Nobody joins a line whose first one has waited for so long. */
const wait_joined = wait_max / 2;
/** What is half done waits longer before it is given up. */
const wait_admitted = 10_000;

interface Waiting {
  since: number;
  grant(): void;
}

interface Line extends LineOptions {
  in_use: number;
  /** In the order in which they came. */
  admitted: Set<Waiting>;
  fresh: Set<Waiting>;
}

/**
 * A bounded queue per kind of traffic before `size` shared connections. A free connection goes to the kind that uses the smallest part of its share, so
 * that a flood of one kind leaves the others theirs. `now`: milliseconds of a clock that nobody sets.
 */
export function connectionQueue<K extends string>(size: number, kinds: Record<K, LineOptions>, now: () => number): ConnectionQueue<K> {
  const lines = Object.fromEntries(
    Object.entries<LineOptions>(kinds).map(([kind, options]) => [kind, { ...options, in_use: 0, admitted: new Set(), fresh: new Set() }]),
  ) as unknown as Record<K, Line>;
  const all = Object.values<Line>(lines);
  let in_use = 0;

  const leaving = (line: Line) => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      in_use -= 1;
      line.in_use -= 1;
      fill();
    };
  };
  const take = (line: Line) => {
    in_use += 1;
    line.in_use += 1;
    return leaving(line);
  };
  const isReady = (line: Line) => line.in_use < line.connections && line.admitted.size + line.fresh.size > 0;
  const fill = () => {
    while (in_use < size) {
      const ready = all.filter(isReady);
      const [first, ...others] = ready;
      if (!first) return;
      const line = others.reduce(
        (least, other) => (other.in_use * least.connections < least.in_use * other.connections ? other : least),
        first,
      );
      const [next] = line.admitted.size ? line.admitted : line.fresh;
      next?.grant();
    }
  };
  const refusesAtOnce = ({ fresh, waiting }: Line) => {
    const [head] = fresh;
    return fresh.size >= waiting || (head !== undefined && now() - head.since >= wait_joined);
  };

  return {
    enter(kind, admitted) {
      const line = lines[kind];
      const queue = admitted ? line.admitted : line.fresh;
      if (in_use < size && line.in_use < line.connections && queue.size === 0) return Promise.resolve(take(line));
      if (!admitted && refusesAtOnce(line)) return Promise.reject(new NoConnection(line.retry_after));
      return new Promise((resolve, reject) => {
        const longest = admitted ? wait_admitted : wait_max;
        const one: Waiting = {
          since: now(),
          grant() {
            clearTimeout(timer);
            queue.delete(one);
            resolve(take(line));
          },
        };
        const giveUp = () => {
          // The clock decides: a timer may be early, and a test's clock may stand still.
          const left = one.since + longest - now();
          if (left > 0) {
            timer = setTimeout(giveUp, left);
            return;
          }
          queue.delete(one);
          reject(new NoConnection(line.retry_after));
        };
        let timer = setTimeout(giveUp, longest);
        queue.add(one);
      });
    },
    waited(kind) {
      const [head] = lines[kind].fresh;
      return head ? now() - head.since : 0;
    },
  };
}
