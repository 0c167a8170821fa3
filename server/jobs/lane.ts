import type { LanePlaces } from './lanes.ts';

export interface Lane {
  /** Looks for what is due. */
  wake(): void;
  /** Grows with each job that it begins or ends. */
  progress(): number;
  /** Looks, and ends when nothing is due and nothing is running. */
  idle(): Promise<void>;
  /** Takes no more, and ends when nothing is running. */
  close(): Promise<void>;
}

/** Leave to take jobs now. A probe takes one, to see whether the carrier is back. */
export interface Turn {
  probe: boolean;
  /** There was nothing to take: somebody else may. */
  unused(): void;
}

export interface LaneDeps<J> extends Pick<LanePlaces, 'at_once' | 'aside' | 'per_domain'> {
  slow_after_ms: number;
  /** Null: nothing may be taken now. */
  turn(): Turn | null;
  /** Which domains proved slow, so that few jobs at a time are enough for each. */
  isSlow(domain: string): boolean;
  /** `running`: ids that are not available again, however long they take. `full`: domains that have enough under way. */
  claim(max: number, running: string[], full: string[]): Promise<J[]>;
  run(job: J): Promise<void>;
  broken(err: unknown): void;
}

/** So many mails try a domain at a time whose mail server did not answer: one of them may be to somebody who can be reached there. */
const slow_domain = 2;

interface Running {
  domain: string | null;
  aside: boolean;
  done: Promise<void>;
}

/**
 * Runs several jobs at a time, and takes the next one as soon as one of them is done. One recipient's server that hangs holds nobody up: of one domain
 * only so many run, and a job that takes long gives its place to the next one and goes on beside.
 */
export function openLane<J extends { id: string; domain: string | null }>(deps: LaneDeps<J>): Lane {
  const { at_once, aside, per_domain, slow_after_ms, turn, isSlow, claim, run, broken } = deps;
  const running = new Map<string, Running>();
  let progress = 0;
  let closed = false;
  let again = false;
  let filling: Promise<void> | null = null;

  const count = (which: (one: Running) => boolean) => [...running.values()].filter(which).length;
  const free = () => at_once - count((one) => !one.aside);

  const start = (job: J) => {
    progress += 1;
    const one: Running = { domain: job.domain, aside: false, done: Promise.resolve() };
    const slow = setTimeout(() => {
      one.aside = count((other) => other.aside) < aside;
      if (one.aside) wake();
    }, slow_after_ms);
    one.done = run(job)
      .catch(broken)
      .finally(() => {
        clearTimeout(slow);
        running.delete(job.id);
        progress += 1;
        wake();
      });
    running.set(job.id, one);
  };

  /** Domains that have enough under way. */
  const fullDomains = () => {
    if (per_domain === undefined) return [];
    const busy = new Map<string, number>();
    for (const { domain } of running.values()) if (domain !== null) busy.set(domain, (busy.get(domain) ?? 0) + 1);
    return [...busy]
      .filter(([domain, n]) => n >= (isSlow(domain) ? Math.min(slow_domain, per_domain) : per_domain))
      .map(([domain]) => domain);
  };

  const fill = async () => {
    while (again && !closed && free() > 0) {
      again = false;
      const leave = turn();
      if (!leave) return;
      // One by one where domains count: several at once could all be of one.
      const max = leave.probe || per_domain !== undefined ? 1 : free();
      const claimed = await claim(max, [...running.keys()], fullDomains());
      for (const job of claimed) start(job);
      if (!claimed.length) leave.unused();
      else if (!leave.probe) again = true;
    }
  };
  const wake = () => {
    again = true;
    if (closed || filling) return;
    filling = fill()
      .catch(broken)
      .finally(() => {
        filling = null;
        // Somebody woke it between its last look and now.
        if (again && free() > 0 && !closed) wake();
      });
  };
  const settled = async () => {
    while (filling || running.size) await (filling ?? Promise.race([...running.values()].map(({ done }) => done)));
  };
  return {
    wake,
    progress: () => progress,
    idle() {
      wake();
      return settled();
    },
    close() {
      closed = true;
      return settled();
    },
  };
}
