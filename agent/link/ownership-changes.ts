import { agentLimits } from '@porchlight/contract/agent-limits.ts';
import { beginSpan, leftOf, type Moment, seenSpan } from '../lib/span.ts';
import type { Change, Store } from '../state/store.ts';

/** How often it is looked whether the first day is over, and how often what is left of it is written down. In milliseconds. */
const lookEvery = 1000;
const keepEvery = 60_000;
/** One that is undone may have been made on the first day of the one before. */
const kept = 2;

export interface ChangeParts {
  store: Pick<Store, 'changes' | 'setChanges'>;
  moment: () => Moment;
  /** Which device this computer is now. */
  device: () => string | null;
  /** The first day is over. */
  changed: () => void;
  notWritten: (why: unknown) => void;
}

export interface Changes {
  /** Milliseconds in which nothing weaker than strict is in force; 0 when that is over, or never was. */
  strictFor(): number;
  /** How this computer became what it is, while that can be undone; null afterwards. */
  undoable(): Change | null;
  /** Writes down how this computer becomes a device; before it does, so that no crash leaves it without. */
  begin(change: Omit<Change, 'span'>): Promise<void>;
  close(): Promise<void>;
}

/** The first day after a computer changed hands, which neither a restart nor the clock shortens (P10.8). */
export async function changes({ store, moment, device, changed, notWritten }: ChangeParts): Promise<Changes> {
  let all = await store.changes();
  let keptAt = moment().up;
  const left = ({ span }: Change) => leftOf(span, moment(), 'latest');
  const mine = () => all.find((one) => one.device === device() && left(one) > 0) ?? null;
  /** With it go the tokens of the accounts before. */
  const keep = () => {
    const at = moment();
    keptAt = at.up;
    all = all.filter((one) => left(one) > 0).map((one) => ({ ...one, span: seenSpan(one.span, at, 'latest') }));
    return store.setChanges(all).catch(notWritten);
  };
  if (all.length) await keep();

  let looking: NodeJS.Timeout | undefined;
  const look = () => {
    const over = all.some((one) => left(one) === 0);
    if (over || Math.abs(moment().up - keptAt) >= keepEvery) void keep();
    if (over) changed();
    if (!all.length) clearInterval(looking);
  };
  /** Only while there is something to look for. */
  const looksAfter = () => {
    clearInterval(looking);
    if (all.length) looking = setInterval(look, lookEvery);
  };
  looksAfter();

  return {
    strictFor() {
      const one = mine();
      return one?.strict ? left(one) : 0;
    },
    undoable: mine,
    async begin(change) {
      const next = [...all.filter((one) => one.device !== change.device), { ...change, span: beginSpan(moment(), agentLimits.first_day) }];
      await store.setChanges(next.slice(-kept));
      all = next.slice(-kept);
      looksAfter();
    },
    async close() {
      clearInterval(looking);
      if (all.length) await keep();
    },
  };
}
