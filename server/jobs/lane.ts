import type { LaneSlots } from './lanes.ts';

export interface Lane {
  wake(): void;
  /** Increases with each job that begins or ends. */
  progress(): number;
  /** Resolves when no job runs and none is being claimed. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Permission to claim jobs now. A probe claims one job, to test the carrier. */
export interface ClaimPermission {
  probe: boolean;
  /** This lane had nothing to claim, so another lane may. */
  unused(): void;
}

export interface LaneDeps<J> extends Pick<LaneSlots, 'max_running' | 'aside' | 'per_domain'> {
  slow_after_ms: number;
  /** Null: no job may be claimed now. */
  turn(): ClaimPermission | null;
  /** Few jobs at a time may send to a slow domain. */
  slowDomains: ReadonlySet<string>;
  /** `running`: ids that must not be claimed again. `full`: domains for which enough jobs run. */
  claim(max: number, running: string[], full: string[]): Promise<J[]>;
  run(job: J): Promise<void>;
  broken(err: unknown): void;
}

/** Two jobs, because another recipient of a slow domain may be reachable. */
const slow_domain = 2;

interface Running {
  domain: string | null;
  aside: boolean;
  done: Promise<void>;
}

/** A recipient's hanging mail server delays nobody else: jobs per domain are limited, and a slow job frees its slot while it continues. */
export function openLane<J extends { id: string; domain: string | null }>(deps: LaneDeps<J>): Lane {
  const { max_running, aside, per_domain, slow_after_ms, turn, slowDomains, claim, run, broken } = deps;
  const running = new Map<string, Running>();
  let progress = 0;
  let closed = false;
  let isWoken = false;
  let filling: Promise<void> | null = null;

  const count = (condition: (runningJob: Running) => boolean) => [...running.values()].filter(condition).length;
  const freeSlots = () => max_running - count((one) => !one.aside);

  const start = (job: J) => {
    progress += 1;
    const runningJob: Running = { domain: job.domain, aside: false, done: Promise.resolve() };
    const slowTimer = setTimeout(() => {
      runningJob.aside = count((other) => other.aside) < aside;
      if (runningJob.aside) wake();
    }, slow_after_ms);
    runningJob.done = run(job)
      .catch(broken)
      .finally(() => {
        clearTimeout(slowTimer);
        running.delete(job.id);
        progress += 1;
        wake();
      });
    running.set(job.id, runningJob);
  };

  /** `full`: domains for which enough jobs run. `max`: how many more can begin, even if all are for the same one of the other domains. */
  const roomOf = (perDomain: number): { full: string[]; max: number } => {
    const limitOf = (isSlow: boolean) => (isSlow ? Math.min(slow_domain, perDomain) : perDomain);
    const countOf = new Map<string, number>();
    for (const { domain } of running.values()) if (domain !== null) countOf.set(domain, (countOf.get(domain) ?? 0) + 1);
    let max = Math.min(freeSlots(), limitOf(slowDomains.size > 0));
    const full: string[] = [];
    for (const [domain, n] of countOf) {
      const left = limitOf(slowDomains.has(domain)) - n;
      if (left > 0) max = Math.min(max, left);
      else full.push(domain);
    }
    return { full, max };
  };

  const fill = async () => {
    while (isWoken && !closed && freeSlots() > 0) {
      isWoken = false;
      const permission = turn();
      if (!permission) return;
      const { full, max } = per_domain === undefined ? { full: [], max: freeSlots() } : roomOf(per_domain);
      const claimed = await claim(permission.probe ? 1 : max, [...running.keys()], full);
      for (const job of claimed) start(job);
      if (!claimed.length) permission.unused();
      else if (!permission.probe) isWoken = true;
    }
  };
  const wake = () => {
    isWoken = true;
    if (closed || filling) return;
    filling = fill()
      .catch(broken)
      .finally(() => {
        filling = null;
        // Woken after the last claim.
        if (isWoken && freeSlots() > 0 && !closed) wake();
      });
  };
  const settled = async () => {
    while (filling || running.size) await (filling ?? Promise.race([...running.values()].map(({ done }) => done)));
  };
  return {
    wake,
    progress: () => progress,
    settled,
    close() {
      closed = true;
      return settled();
    },
  };
}
