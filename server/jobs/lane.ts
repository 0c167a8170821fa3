/** Which jobs wait for one another: a mail server that hangs must hold up no text, and neither of them anything else. */
export const lanes: { kinds: string[]; others: boolean }[] = [
  { kinds: ['mail'], others: false },
  { kinds: ['sms'], others: false },
  { kinds: ['mail', 'sms'], others: true },
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
  /** `running`: ids that are not to be had again, however long they take. */
  claim(max: number, running: string[]): Promise<J[]>;
  run(job: J): Promise<void>;
  broken(err: unknown): void;
}

const atOnce = 8;

/** Runs up to eight jobs at a time, and takes the next one as soon as one of them is done. */
export function openLane<J extends { id: string }>({ claim, run, broken }: LaneParts<J>): Lane {
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
    while (again && !closed && busy.size < atOnce) {
      again = false;
      const claimed = await claim(atOnce - busy.size, [...busy.keys()]);
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
        if (again && busy.size < atOnce) wake();
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
