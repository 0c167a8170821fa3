export class NoConnection extends Error {
  readonly retry_after: number;

  constructor(retry_after: number) {
    super('no database connection was free in time');
    this.retry_after = retry_after;
  }
}

export interface QueueOptions {
  connections: number;
  waiting: number;
  retry_after: number;
}

export interface ConnectionQueue<K extends string> {
  /**
   * Returns a function that releases the connection. `admitted`: the call had a connection before, so it goes first: refusing it would lose
   * half-done work. Throws `NoConnection`.
   */
  enter(kind: K, admitted: boolean): Promise<() => void>;
  /** How many milliseconds the first new call in the queue has waited. */
  waited(kind: K): number;
  /** How many calls wait, new ones and those with half-done work. */
  waiting(kind: K): number;
}

/** The longest wait in milliseconds; keeps the response time at about a second. */
const wait_max = 600;
const join_wait_max = wait_max / 2;
/** Calls with half-done work wait longer. */
const admitted_wait_max = 10_000;

interface Waiter {
  since: number;
  grant(): void;
}

interface KindQueue extends QueueOptions {
  in_use: number;
  admitted: Set<Waiter>;
  unadmitted: Set<Waiter>;
}

/**
 * A bounded queue per kind of traffic. A free connection goes to the kind that uses the smallest part of its share, so that a flood of one
 * kind does not starve the others. `now`: monotonic milliseconds.
 */
export function connectionQueue<K extends string>(size: number, kinds: Record<K, QueueOptions>, now: () => number): ConnectionQueue<K> {
  const kindQueues = Object.fromEntries(
    Object.entries<QueueOptions>(kinds).map(([kind, options]) => [
      kind,
      { ...options, in_use: 0, admitted: new Set(), unadmitted: new Set() },
    ]),
  ) as unknown as Record<K, KindQueue>;
  const allQueues = Object.values<KindQueue>(kindQueues);
  let in_use = 0;

  const releaseOf = (kindQueue: KindQueue) => {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      in_use -= 1;
      kindQueue.in_use -= 1;
      fill();
    };
  };
  const take = (kindQueue: KindQueue) => {
    in_use += 1;
    kindQueue.in_use += 1;
    return releaseOf(kindQueue);
  };
  const isReady = (kindQueue: KindQueue) =>
    kindQueue.in_use < kindQueue.connections && kindQueue.admitted.size + kindQueue.unadmitted.size > 0;
  const fill = () => {
    while (in_use < size) {
      const readyQueues = allQueues.filter(isReady);
      const [firstQueue, ...otherQueues] = readyQueues;
      if (!firstQueue) return;
      const kindQueue = otherQueues.reduce(
        (leastUsed, other) => (other.in_use * leastUsed.connections < leastUsed.in_use * other.connections ? other : leastUsed),
        firstQueue,
      );
      const [nextWaiter] = kindQueue.admitted.size ? kindQueue.admitted : kindQueue.unadmitted;
      nextWaiter?.grant();
    }
  };
  const refusesAtOnce = ({ unadmitted, waiting }: KindQueue) => {
    const [firstWaiter] = unadmitted;
    return unadmitted.size >= waiting || (firstWaiter !== undefined && now() - firstWaiter.since >= join_wait_max);
  };

  return {
    enter(kind, admitted) {
      const kindQueue = kindQueues[kind];
      const queue = admitted ? kindQueue.admitted : kindQueue.unadmitted;
      if (in_use < size && kindQueue.in_use < kindQueue.connections && queue.size === 0) return Promise.resolve(take(kindQueue));
      if (!admitted && refusesAtOnce(kindQueue)) return Promise.reject(new NoConnection(kindQueue.retry_after));
      return new Promise((resolve, reject) => {
        const maxWait = admitted ? admitted_wait_max : wait_max;
        const waiter: Waiter = {
          since: now(),
          grant() {
            clearTimeout(timer);
            queue.delete(waiter);
            resolve(take(kindQueue));
          },
        };
        const giveUp = () => {
          // The timer may fire early, and a test's clock may be stopped.
          const remainingMs = waiter.since + maxWait - now();
          if (remainingMs > 0) {
            timer = setTimeout(giveUp, remainingMs);
            return;
          }
          queue.delete(waiter);
          reject(new NoConnection(kindQueue.retry_after));
        };
        let timer = setTimeout(giveUp, maxWait);
        queue.add(waiter);
      });
    },
    waited(kind) {
      const [firstWaiter] = kindQueues[kind].unadmitted;
      return firstWaiter ? now() - firstWaiter.since : 0;
    },
    waiting: (kind) => kindQueues[kind].admitted.size + kindQueues[kind].unadmitted.size,
  };
}
