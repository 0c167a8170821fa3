import type { ProcessSeen } from '../os/port.ts';

/** Remembered starts beyond twice those of the last inventory. */
const MORE_MAX = 1000;

export interface NewStarts {
  /** Those that were not reported before. `isInventory`: all programs that run now. */
  of(processes: ProcessSeen[], isInventory: boolean): ProcessSeen[];
  /** So much has started since the last inventory that another one is worth it: what ended is forgotten only then. */
  isInventoryDue(): boolean;
}

/** What started since the last report. Nothing is a new start that ran before the agent: it is not asked about afterwards. */
export function newStarts(): NewStarts {
  let known: Set<string> | null = null;
  let inventory = 0;
  // The path counts, because a process may become another program.
  const keyOf = ({ pid, started, path }: ProcessSeen) => `${pid}:${started}:${path}`;
  return {
    of(processes, isInventory) {
      const before = known;
      const found = before ? processes.filter((one) => !before.has(keyOf(one))) : [];
      if (isInventory || !known) {
        known = new Set();
        inventory = processes.length;
      }
      for (const one of processes) known.add(keyOf(one));
      return found;
    },
    isInventoryDue: () => (known?.size ?? 0) > 2 * inventory + MORE_MAX,
  };
}
