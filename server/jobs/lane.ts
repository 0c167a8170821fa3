/** Which jobs wait for one another: a mail server that hangs must hold up no text, and neither of them anything else. */
export const lanes: { kinds: string[]; others: boolean; at_once: number }[] = [
  // Few: each mail that is under way when this process dies may leave a second time.
  { kinds: ['mail'], others: false, at_once: 3 },
  { kinds: ['sms'], others: false, at_once: 3 },
  { kinds: ['mail', 'sms'], others: true, at_once: 8 },
];

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

export interface LaneParts<J> {
  /** How many jobs run at a time. */
  at_once: number;
  /** `running`: ids that are not to be had again, however long they take. */
  claim(max: number, running: string[]): Promise<J[]>;
  run(job: J): Promise<void>;
  broken(err: unknown): void;
}

/** Runs several jobs at a time, and takes the next one as soon as one of them is done. */
export function openLane<J extends { id: string }>({ at_once, claim, run, broken }: LaneParts<J>): Lane {
  const busy = new Map<string, Promise<void>>();
  let progress = 0;
  let closed = false;
  let again = false;
  let filling: Promise<void> | null = null;

  const start = (job: J) => {
    progress += 1;
    const done = run(job)
      .catch(broken)
      .finally(() => {
        busy.delete(job.id);
        progress += 1;
        wake();
      });
    busy.set(job.id, done);
  };
  const fill = async () => {
    while (again && !closed && busy.size < at_once) {
      again = false;
      const claimed = await claim(at_once - busy.size, [...busy.keys()]);
      for (const job of claimed) start(job);
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
        if (again && busy.size < at_once) wake();
      });
  };
  const settled = async () => {
    while (filling || busy.size) await (filling ?? Promise.race(busy.values()));
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
